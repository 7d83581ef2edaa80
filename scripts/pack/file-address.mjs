// The address of a packed CommonJS file, in place of `import.meta.url`. Only a file that asks for it gets
// this: scripts/pack.ts puts it in, and the bundler drops it elsewhere.
export const fileAddress = /* @__PURE__ */ (() =>
  require('node:url').pathToFileURL(__filename).href)()
