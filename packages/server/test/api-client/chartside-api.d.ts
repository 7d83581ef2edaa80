// Stands in for the types that api-client.test.ts generates from /openapi.json, so that the story
// beside it can be checked with the rest. The test compiles the story against the real ones.

declare module 'chartside-api' {
  // biome-ignore lint/suspicious/noExplicitAny: the real types exist only while the test runs.
  export type paths = any
}
