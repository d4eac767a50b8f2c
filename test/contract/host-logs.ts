/** The logs of all hosts: every `test/hosts-unit/*-log.ts` exports the fixtures of one. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { HostLogFixture } from './host-log.ts'

const FOLDER = join('test', 'hosts-unit')

/** In the order of their files' names; a host with several stores has several. */
export async function hostLogs(): Promise<HostLogFixture[]> {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('-log.ts'))
  const modules = await Promise.all(files.map((file) => import(pathToFileURL(join(FOLDER, file)).href) as Promise<object>))
  return modules.flatMap((module) => Object.values(module).filter(isFixture))
}

/** As reports name it. */
export function logName({ name, spec }: HostLogFixture): string {
  return name ?? spec.title
}

function isFixture(value: unknown): value is HostLogFixture {
  return typeof value === 'object' && value !== null && 'spec' in value && 'open' in value && 'id' in value
}
