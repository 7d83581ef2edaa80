// The part of a running node that posts notices to the servers of apps and vendors: to the address that they have
// registered, by the rules of a pre-flight (public addresses only, one resolution of the name, no redirect), within
// five seconds. A redirect is an answer like any other. Contract §12, security A18.
import { ANSWER_MS, cutAnswer, type NoticeAnswer } from '../outbox/outbox.ts'
import type { Sending } from './page-request.ts'
import { type Network, requestHop } from './page-visit.ts'

export interface NoticeSender {
  send(url: string, sending: Sending, signal?: AbortSignal): Promise<NoticeAnswer>
}

export interface HasNoticeSender {
  readonly noticeSender: NoticeSender
}

export const noticeSender = (network: Network): NoticeSender => ({
  async send(url, sending, signal) {
    const deadline = AbortSignal.timeout(ANSWER_MS)
    const either = signal ? AbortSignal.any([signal, deadline]) : deadline
    const answer = await requestHop(network, new URL(url), either, network.clock(), sending)
    return typeof answer === 'string'
      ? { status: undefined, answer }
      : { status: answer.status, answer: cutAnswer(answer.body) }
  },
})
