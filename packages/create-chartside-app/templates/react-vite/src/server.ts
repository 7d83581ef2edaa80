// Puts the app on a port, with plain node:http: no framework. The kit makes a Request of each message.
// Routes of your own go into api.ts.
export { serveNode as startServer } from '@chartside/app-kit/node'
