// How a launch becomes a session, option 1: this server exchanges the code for the page's SDK; once
// that is ready the page presents the ID token, which is verified and starts one session. The secret
// never leaves this server. Spec §5.1, §5.4, §5.6.
export {
  type AppSettings as Settings,
  routeExchange as routeLaunch,
} from '@chartside/app-kit/server'
