/** A reporter whose last line is `N passed, N failed`, with skipped tests named: a skip is never a pass. */
import type { Reporter, TestModule } from 'vitest/node'

export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    let passed = 0
    let failed = errors.length
    const skipped: string[] = []
    for (const module of modules) {
      if (module.errors().length > 0) failed += 1
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') passed += 1
        else if (state === 'failed') failed += 1
        else skipped.push(test.fullName)
      }
    }
    for (const name of skipped) process.stdout.write(`skipped: ${name}\n`)
    const tail = skipped.length > 0 ? `, ${skipped.length} skipped` : ''
    process.stdout.write(`${passed} passed, ${failed} failed${tail}\n`)
  }
}
