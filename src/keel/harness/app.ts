/** The daemon behind the page: settings, memory and the off-screen mode, put together and taken apart. */
import { reason } from '../../util/errors.ts'
import { printable } from '../../util/printable.ts'
import type { System } from '../../util/system.ts'
import { newTemporaryFolder } from '../../util/temporary-folder.ts'
import { readHistory } from '../offscreen/history.ts'
import { newOffscreenMode } from '../offscreen/mode.ts'
import type { App } from '../server/app.ts'
import { settingsFile } from '../settings/place.ts'
import { type BuildContext, type Built, buildServices } from './build-services.ts'
import { newChanges } from './changes.ts'
import { makeDemo, recordDemoHistory } from './demo.ts'
import { chooseMemory, isSameMemory } from './memory-choice.ts'
import { type MemorySlot, newMemorySlot } from './memory-slot.ts'
import { newSettingsKeeper, type SettingsKeeper, withOrigin } from './settings-keeper.ts'
import { newWitness } from './witness.ts'

export interface AppOptions {
  /** One line, without a line end; the daemon writes it to stderr. One that throws stops nothing. */
  readonly log?: ((line: string) => void) | undefined
  /** With sample tasks, goals and history in a folder that goes away again; nothing of the user's is touched. */
  readonly demo?: boolean | undefined
  /** Of the embedded store; default: the place that the platform has for it. */
  readonly storeFile?: string | undefined
}

export interface RunningApp extends App {
  /**
   * Cancels what is under way, lets a task that is being added be added, waits until what was recorded is stored or `signal` aborts, and
   * closes everything. Never throws.
   */
  close(signal: AbortSignal): Promise<void>
}

/**
 * Ready at once: ActivityWatch is looked for, and an open proposal of a run before taken up, in the background. Errors: `InvalidSetting`
 * for settings with which nothing can be started.
 */
export async function createApp(system: System, options: AppOptions = {}): Promise<RunningApp> {
  if (!options.demo) return assemble(system, { ...options, settingsFile: settingsFile(system) })
  const folder = newTemporaryFolder('keel-demo-')
  try {
    const demo = makeDemo(folder.path, system)
    return await assemble(demo.system, { ...options, ...demo, onClosed: folder.remove })
  } catch (error) {
    folder.remove()
    throw error
  }
}

interface Parts extends AppOptions {
  readonly settingsFile: string
  readonly onClosed?: () => void
}

async function assemble(system: System, parts: Parts): Promise<RunningApp> {
  const { demo = false, storeFile } = parts
  const log = unfailing(parts.log)
  const changes = newChanges((error) => log(printable(`keeld: cannot tell of a change: ${reason(error)}`)))
  const { notify } = changes
  const keeper = newSettingsKeeper(parts.settingsFile, system, log)
  const witness = newWitness()
  const memoryContext = { system, log, notify, storeFile }

  let slot: MemorySlot | undefined
  const build: BuildContext = {
    system,
    log,
    notify,
    watch: witness.watch,
    openMemory: (aw) => {
      slot ??= newMemorySlot(chooseMemory(keeper.values(), aw, memoryContext))
      return slot
    },
  }
  let { services } = await firstServices(keeper, build, parts.settingsFile)
  const memory = slot!
  let used = keeper.values()
  const mode = newOffscreenMode(services)
  const closing = new AbortController()
  let closed: Promise<void> | undefined
  if (demo) await recordDemoHistory(memory, system.now())
  else void mode.resume(closing.signal)

  async function close(signal: AbortSignal): Promise<void> {
    closing.abort(new Error('keeld stops'))
    await mode.stop(signal)
    try {
      await memory.flush(signal)
      await memory.close()
    } catch (error) {
      // There is nobody left to whom it would matter; what is stored is stored.
      log(printable(`keeld: closing the memory: ${reason(error)}`))
    }
    parts.onClosed?.()
  }

  return {
    state: () => ({
      version: changes.count,
      offscreen: mode.view(),
      memory: memory.state(),
      ai: services.ai.name,
      ...(services.ai.destination === undefined ? {} : { destination: services.ai.destination }),
      tasks: services.tasks.name,
      demo,
    }),
    subscribe: changes.subscribe,
    command: (command) => mode.command(command),
    brief() {
      const brief = mode.lastBrief()
      return brief === undefined ? undefined : { ...brief, ...witness.about(brief.text) }
    },
    history: (days, signal) => readHistory(memory, days, system.now(), signal),
    async forget(proposalId) {
      witness.forget()
      await mode.forget(proposalId, memory)
      log(`memory: ${proposalId === undefined ? 'everything' : 'a proposal'} is forgotten, as it was asked for`)
    },
    settings: () => keeper.view(),
    changeSettings(values) {
      return keeper.change(
        values,
        (next) => buildServices(next, build),
        async (built, next) => {
          ;({ services } = built)
          mode.use(services)
          const isSame = isSameMemory(used, next)
          used = next
          if (!isSame) await memory.replace(() => chooseMemory(next, built.aw, memoryContext))
          notify()
        },
      )
    },
    close(signal) {
      closed ??= close(signal)
      return closed
    },
  }
}

/** What follows a line of the log must not depend on it: there is nobody to whom its failure could be told. */
function unfailing(log: AppOptions['log']): (line: string) => void {
  return (line) => {
    try {
      log?.(line)
    } catch {}
  }
}

async function firstServices(keeper: SettingsKeeper, build: BuildContext, file: string): Promise<Built> {
  try {
    return await buildServices(keeper.values(), build)
  } catch (error) {
    throw withOrigin(error, keeper, file)
  }
}
