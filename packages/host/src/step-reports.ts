// What the host reports of one launch to the service: each step, and each code it fails with, once
// and in order. A page in a loop must not load the service. Contract §5; security X02.
import type { FailureReport } from '@chartside/protocol/failure-report'
import type { Hello } from '@chartside/protocol/handshake'
import type { LaunchStep } from '@chartside/protocol/launch'
import {
  buildPageReport,
  type ChartReport,
  type ServiceClient,
  type StepReport,
} from './service.ts'

export class StepReports {
  readonly #service: Pick<ServiceClient, 'reportStep'>
  readonly #launch: string
  /** The step and outcome of each report. */
  readonly #reported = new Set<string>()
  #sent: Promise<void> | null = null
  #receivedCount = 0
  /** The origin of the last message that was dropped, because it is none of the app's. */
  foreignOrigin: string | null = null

  constructor(service: Pick<ServiceClient, 'reportStep'>, launch: string) {
    this.#service = service
    this.#launch = launch
  }

  send(report: StepReport): void {
    const outcome = `${report.step} ${report.code ?? report.outcome}`
    if (this.#reported.has(outcome)) return
    this.#reported.add(outcome)
    this.#send(report)
  }

  /** Each of them counts; the guard sends two of a change at most. */
  sendChart(chart: ChartReport): void {
    this.#send({ step: 'chart_changed', outcome: 'ok', chart })
  }

  #send(report: StepReport): void {
    const call = () => this.#service.reportStep(this.#launch, report)
    // In order, as a timeline shows them, and the first one in this turn: before the frame has its address.
    // The service client reports its own failures.
    this.#sent = (this.#sent ? this.#sent.then(call) : call()).catch(() => {})
  }

  sendHandshake(hello: Hello, hostVersion: string | undefined): void {
    const page = buildPageReport(hostVersion, hello)
    this.send({ step: 'handshake', outcome: 'ok', page })
  }

  hasFailedWith(code: string): boolean {
    return [...this.#reported].some((outcome) => outcome.endsWith(` ${code}`))
  }

  /** Counts a failure report of the page, a dropped one too, and returns the count. */
  countReceived(): number {
    this.#receivedCount += 1
    return this.#receivedCount
  }
}

/** The service refused the page, and has recorded it with its reason: a report of it adds nothing. */
export const isRecorded = (steps: readonly LaunchStep[], { traceId }: FailureReport): boolean =>
  traceId !== '' && steps.some((step) => step.traceId === traceId)
