// What a test process tells its parent, one message a line. Shared by the reporter, which runs
// inside the test process, and the parent that reads; both ends change together.

export type Outcome = 'passed' | 'failed' | 'skipped'

export type TestMessage =
  | { readonly type: 'file began'; readonly file: string }
  | { readonly type: 'test began'; readonly title: string }
  | {
      readonly type: 'test'
      readonly title: string
      readonly outcome: Outcome
      readonly ms: number
      /** Formatted, when the test failed. */
      readonly error?: string
      /** When it was left out, as the test says. */
      readonly reason?: string
    }
  | { readonly type: 'diagnostic'; readonly text: string }
  | {
      readonly type: 'file ended'
      readonly file: string
      readonly ms: number
      /** Of the process until now, with what it started. */
      readonly processorSeconds: number
      /** The part of them that the parent does not see when the process has ended. */
      readonly browserSeconds: number
    }

/** The line of a message. A reader of lines also breaks at the separators of Unicode, so they are escaped. */
export const formatMessage = (message: TestMessage): string =>
  `${JSON.stringify(message).replace(/[\u2028\u2029]/g, (separator) =>
    separator === '\u2028' ? '\\u2028' : '\\u2029',
  )}\n`
