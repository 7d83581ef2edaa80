// The part of the app kit that needs Node.js: an app as a process, its servers, and the bundler of its
// pages. The app itself is web-standard (../server). Contract §6.
export {
  type AssetsOptions,
  type Bundler,
  createAssets,
  type LoadedAssets,
  type Sources,
} from './assets.ts'
export { buildNext, serveNext } from './next-server.ts'
export { type ListenAddress, listen, type RunningApp, runApp, serveNode } from './run-app.ts'
export { bundleWithVite } from './vite-bundler.ts'
