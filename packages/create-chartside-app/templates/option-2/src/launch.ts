// How a launch becomes a session, option 2: the registered token endpoint exchanges the code for the
// SDK; the page then presents the ID token, which is verified and starts one session. The secret never
// leaves this server. Spec §4.3, §5.2, §5.4, §5.6.
export {
  type AppSettings as Settings,
  routeTokenEndpoint as routeLaunch,
} from '@chartside/app-kit/server'
