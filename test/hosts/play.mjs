/** Lets `script` answer the program that `start` runs; a script that broke its own rules fails the step. */
export async function play(model, script, start) {
  model.script = script
  const result = await start()
  const [problem] = model.problems.splice(0)
  if (problem !== undefined) throw problem
  return result
}

/** What the model behind an endpoint needs to be `bridge`'s executor. */
export function endpointEnvironment(world) {
  return { MEMU_EXECUTOR_BASE_URL: `${world.url}/v1`, MEMU_EXECUTOR_MODEL: 'loopback' }
}
