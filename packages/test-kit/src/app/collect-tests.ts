// Collects tests that run on any app: each gets the function that starts the app beside a fake
// service. Registers them with Node's runner when a file of tests asks for it, never at import.
import { test as registerTest, type TestContext } from 'node:test'
import type { AppFixture, OpenFixture } from './fixture.ts'

type Run<Fixture extends AppFixture> = (
  t: TestContext,
  startFixture: OpenFixture<Fixture>,
) => Promise<void>

/** `test` collects; `register` registers everything that was collected, for one app. */
export function collectTests<Fixture extends AppFixture>() {
  const collected: { title: string; run: Run<Fixture> }[] = []
  return {
    test: (title: string, run: Run<Fixture>): void => void collected.push({ title, run }),
    register: (startFixture: OpenFixture<Fixture>): void => {
      for (const { title, run } of collected) registerTest(title, (t) => run(t, startFixture))
    },
  }
}
