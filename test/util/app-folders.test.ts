import { expect, it } from 'vitest'
import { configFolder, dataFolder } from '../../src/util/app-folders.ts'

it.each([
  ['linux', {}, '/home/a/.config', '/home/a/.local/share'],
  ['linux', { XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: '/d' }, '/c', '/d'],
  ['linux', { XDG_CONFIG_HOME: '', XDG_DATA_HOME: '' }, '/home/a/.config', '/home/a/.local/share'],
  ['linux', { XDG_CONFIG_HOME: 'rel', XDG_DATA_HOME: '~/d' }, '/home/a/.config', '/home/a/.local/share'],
  ['darwin', { XDG_DATA_HOME: '/d' }, '/home/a/Library/Application Support', '/home/a/Library/Application Support'],
  ['win32', { APPDATA: '/r', LOCALAPPDATA: '/l' }, '/r', '/l'],
  ['win32', {}, '/home/a/AppData/Roaming', '/home/a/AppData/Local'],
] as const)('on %s with %j settings lie below %s and data below %s', (platform, env, config, data) => {
  const place = { platform, env, home: '/home/a' }
  expect([configFolder(place), dataFolder(place)]).toEqual([config, data])
})
