// The part of a running node that posts logout tokens: to the address that the app has registered, by the rules
// of a pre-flight (public addresses only, one resolution of the name, no redirect), within five seconds.
// A redirect is an answer like any other. Contract §12, security A18.
import { type Network, requestHop } from '../preflight/page-visit.ts'
import { ANSWER_MS, cutAnswer, type LogoutAnswer } from './logout.ts'

export interface LogoutSender {
  send(url: string, logoutToken: string, signal?: AbortSignal): Promise<LogoutAnswer>
}

export interface HasLogoutSender {
  readonly logoutSender: LogoutSender
}

export const logoutSender = (network: Network): LogoutSender => ({
  async send(url, logoutToken, signal) {
    const deadline = AbortSignal.timeout(ANSWER_MS)
    const either = signal ? AbortSignal.any([signal, deadline]) : deadline
    const form = new URLSearchParams({ logout_token: logoutToken })
    const sending = { userAgent: 'Chartside-Logout/1.0', form }
    const answer = await requestHop(network, new URL(url), either, network.clock(), sending)
    return typeof answer === 'string'
      ? { status: undefined, answer }
      : { status: answer.status, answer: cutAnswer(answer.body) }
  },
})
