// One app in one place of the page: its current launch, the iframe (a new one for every launch),
// the channel, and the lifetime from the Launch URL to the end. handshake.ts decides which messages
// count. Each frame holds its own seed and tokens; no other frame gets them. Contract §5; security
// X03, X04, X09.
import type { FailureReport } from '@chartside/protocol/failure-report'
import {
  buildRefusal,
  buildWelcome,
  type EndReason,
  type Hello,
  type Refusal,
} from '@chartside/protocol/handshake'
import {
  type AppKind,
  type HostStepName,
  type Launch,
  type OpenedLaunch,
  parseEndReason,
} from '@chartside/protocol/launch'
import { HANDSHAKE_TIMEOUT } from '@chartside/protocol/launch-steps'
import { AnsweredHellos } from './answered-hellos.ts'
import { type Channel, openChannel } from './channel.ts'
import { HostError } from './errors.ts'
import {
  buildUnexpected,
  type ChartView,
  type FrameEventDetails,
  type OpenFrame,
} from './events.ts'
import { findEnd, TokenExpiry, type TokenTimes } from './expiry.ts'
import { FrameChart } from './frame-chart.ts'
import type { FrameDependencies } from './frame-dependencies.ts'
import { replaceFrameElement } from './frame-element.ts'
import { type Advice, explainTimeout } from './hello-timeout.ts'
import { countAppSteps, HelloWait, SLOW_MS } from './hello-wait.ts'
import { findMissingStep } from './missing-step.ts'
import { PageCheck } from './page-check.ts'
import { isRecorded, StepReports } from './step-reports.ts'

type ReportedFailure = Pick<FailureReport, 'code' | 'message'> & Partial<FailureReport>

type RelaunchCause = 'expired' | 'requested' | 'chart_changed'

const NEW_LAUNCH = { state: 'opened', steps: [] } as const
const RELAUNCH_PAUSE_MS = 10_000
/** A page that has not answered a visit by then is what the launch waits for. */
const LATE_PAGE_MS = 300

export class AppFrame implements OpenFrame {
  readonly id: string
  readonly kind: AppKind
  readonly #dependencies: FrameDependencies
  #hellos: AnsweredHellos
  #reports: StepReports
  #element: HTMLIFrameElement
  #launch: OpenedLaunch
  /** The last answer of the service about the launch. */
  #view: Pick<Launch, 'state' | 'steps'> = NEW_LAUNCH
  #channel: Channel | null = null
  /** The page has not answered the visit of the service for {@link LATE_PAGE_MS}. */
  #isPageLate = false
  #openedAt = 0
  #ended: EndReason | null = null
  #relaunching: Promise<void> | null = null
  readonly #helloWait: HelloWait
  readonly #pageCheck: PageCheck
  /** The expiry; null until a token was accepted. */
  #expiry: TokenExpiry | null = null
  #hasUnsavedWork = false
  readonly #chart: FrameChart
  /** The reports of the launch before, for the line of the chart for which it was replaced. */
  #replacedReports: StepReports | null = null

  constructor(
    id: string,
    kind: AppKind,
    element: HTMLIFrameElement,
    launch: OpenedLaunch,
    dependencies: FrameDependencies,
  ) {
    this.id = id
    this.kind = kind
    this.#element = element
    this.#launch = launch
    this.#dependencies = dependencies
    this.#hellos = new AnsweredHellos(dependencies.clock)
    this.#reports = new StepReports(dependencies.service, launch.id)
    this.#pageCheck = new PageCheck(dependencies.service, dependencies.hostOrigin)
    this.#chart = new FrameChart(
      dependencies.clock,
      dependencies.charts,
      dependencies.findChartRules(launch.app.id, kind),
      {
        appId: launch.app.id,
        send: (message) => this.#channel?.send(message),
        relaunch: () => this.#openForNextChart(),
        report: (chart, isOfReplaced) =>
          (isOfReplaced ? this.#replacedReports : this.#reports)?.sendChart(chart),
        onView: () => {
          this.#chart.hide(this.#element)
          this.#emit({ type: 'chart', chart: this.#chart.view })
        },
      },
    )
    this.#helloWait = new HelloWait(dependencies.clock, dependencies.helloTimeoutMs, {
      onSlow: (afterMs) => this.#emit({ type: 'slow', afterMs }),
      onQuiet: () => void this.#diagnose(),
      onTimeout: () => this.#reportTimeout(),
    })
  }

  /** The launch without the launch_id: only the app may see that. */
  get launch() {
    const { id, app } = this.#launch
    return { id, app }
  }

  /** The iframe, which `show` replaces. */
  get element(): HTMLIFrameElement {
    return this.#element
  }

  get ended(): EndReason | null {
    return this.#ended
  }

  get hasUnsavedWork(): boolean {
    return this.#hasUnsavedWork
  }

  get hellos(): Pick<AnsweredHellos, 'recentCount' | 'has'> {
    return this.#hellos
  }

  /** Opens a launch in a new iframe; the previous launch ends for this frame. */
  show(launch: OpenedLaunch): void {
    this.#stop()
    this.#ended = null
    this.#openedAt = this.#dependencies.clock.now()
    this.#launch = launch
    this.#view = NEW_LAUNCH
    this.#pageCheck.onSteps(0)
    this.#hellos = new AnsweredHellos(this.#dependencies.clock)
    this.#replacedReports = this.#reports
    this.#reports = new StepReports(this.#dependencies.service, launch.id)
    this.#emit({ type: 'opened' })
    // Sent before the frame has its address: the requests of the page follow.
    this.#reports.send({ step: 'opened', outcome: 'ok' })
    this.#element = replaceFrameElement(this.#element, launch.launchUrl)
    this.#chart.hide(this.#element)
    this.#chart.apply({ type: 'launched' })
    this.#helloWait.start()
  }

  setChart(key: string | null): void {
    this.#chart.set(key)
  }

  get chart(): ChartView {
    return this.#chart.view
  }

  openForChart(): void {
    this.#chart.apply({ type: 'open_asked' })
  }

  goOnWithEarlierChart(): void {
    this.#chart.apply({ type: 'earlier_asked' })
  }

  /** Answers a genuine hello: the seed goes to that origin only. */
  welcome(hello: Hello, version: number, origin: string): void {
    const { port1, port2 } = new MessageChannel()
    const { launchId, seed, app } = this.#launch
    this.closeChannel()
    this.#helloWait.stop()
    this.#hellos.add(hello.nonce)
    this.#channel = openChannel(
      port1,
      launchId,
      this.#dependencies.service,
      this.#dependencies.clock,
      {
        onAccepted: (token) => this.#accepted(token),
        onRefused: (by, failure) => this.#refused('context', by, failure),
        onHold: (isHeld) => this.#expiry?.hold(isHeld),
        onUnsavedWork: (isUnsaved) => {
          this.#hasUnsavedWork = isUnsaved
          this.#chart.apply({ type: 'unsaved', isUnsaved })
          this.#emit({ type: 'unsaved_work', isUnsaved })
        },
        onChartShown: (seq) => this.#chart.apply({ type: 'shown', seq }),
        onUnexpected: () => this.#dependencies.emit(buildUnexpected(this, origin)),
      },
    )
    const { tokenEndpoint } = app
    const fields = { version, nonce: hello.nonce, launchId, seed }
    const welcome = buildWelcome(
      tokenEndpoint === undefined ? fields : { ...fields, tokenEndpoint },
    )
    this.element.contentWindow?.postMessage(welcome, origin, [port2])
    this.#emit({ type: 'handshake', version, sdkVersion: hello.sdkVersion })
    this.#reports.sendHandshake(hello, this.#dependencies.hostVersion)
  }

  refuse(
    nonce: string,
    origin: string,
    { code, message, fix = '' }: Pick<Refusal, 'code' | 'message' | 'fix'>,
  ): void {
    this.#helloWait.stop()
    this.#hellos.add(nonce)
    this.element.contentWindow?.postMessage(buildRefusal({ nonce, code, message, fix }), origin)
    this.#refused('handshake', 'host', { code, message, fix })
  }

  get reports(): StepReports {
    return this.#reports
  }

  /** A genuine report of the page. The first of each code counts: a loop repeats itself. */
  onFailureReport(report: FailureReport): void {
    if (this.#ended || this.#reports.hasFailedWith(report.code.toUpperCase())) return
    this.#helloWait.stop()
    if (isRecorded(this.#view.steps, report)) return
    this.#refused(this.#channel ? 'context' : 'handshake', 'page', report)
  }

  /** Closes the channel of the document in the frame; the next hello opens another. */
  closeChannel(): void {
    this.#channel?.close()
    this.#channel = null
    this.#chart.apply({ type: 'document_gone' })
    if (this.#hasUnsavedWork) this.#emit({ type: 'unsaved_work', isUnsaved: false })
    this.#hasUnsavedWork = false
    this.#expiry?.hold(false)
  }

  /** Applies an update from the service; updates of other launches change nothing. */
  onLaunchUpdate(view: Launch): void {
    if (view.id !== this.#launch.id || this.#ended) return
    this.#pageCheck.onSteps(countAppSteps(view.steps))
    this.#view = view
    this.#helloWait.onSteps(view.steps)
    this.#acceptExchange(view)
    if (view.state === 'ended') this.end(parseEndReason(view.ended?.reason) ?? 'revoked')
    if (view.state !== 'expired') return
    // A new launch of an app that never presented a token would expire again.
    if (this.#expiry) this.#expiry.expire()
    else this.end('expired')
  }

  end(reason: EndReason): void {
    if (this.#ended) return
    this.#ended = reason
    this.#channel?.send({ type: 'ended', reason })
    this.#stop()
    this.#chart.apply({ type: 'ended' })
    this.#emit({ type: 'ended', reason })
  }

  reload(): Promise<void> {
    return this.#relaunch('requested')
  }

  /** Ends the launch once no frame shows it. A launch that has ended needs no end. */
  endLaunch(reason?: 'chart_changed'): void {
    if (!this.#ended) this.#dependencies.endLaunch(this.#launch.id, reason)
  }

  close(): void {
    this.endLaunch()
    this.end('closed')
    this.#ended = 'closed'
    this.#chart.stop()
    this.element.remove()
    this.#dependencies.onClosed(this)
  }

  #accepted(token: TokenTimes): void {
    const expiresAt = findEnd(token, this.#openedAt, this.#dependencies.clock.now())
    this.#emit({ type: 'context', tokenExpiresAt: expiresAt })
    this.#reports.send({ step: 'context', outcome: 'ok' })
    this.#expiry?.cancel()
    this.#expiry = this.#watchExpiry()
    this.#expiry.start(expiresAt)
    this.#chart.apply({ type: 'ready' })
  }

  /** A SMART app has no SDK that says hello: it is ready once its server has the token. Contract §14. */
  #acceptExchange({ state, steps, tokenExpiresAt }: Launch): void {
    if (this.#launch.app.launchStyle !== 'smart' || state !== 'exchanged' || this.#expiry) return
    const issuedAt = steps.find(({ step, outcome }) => step === 'exchange' && outcome === 'ok')?.at
    const expiresAt = tokenExpiresAt === undefined ? null : Date.parse(tokenExpiresAt)
    const lifetimeMs =
      issuedAt === undefined || expiresAt === null ? null : expiresAt - Date.parse(issuedAt)
    this.#helloWait.stop()
    this.#accepted({ expiresAt, lifetimeMs })
  }

  #watchExpiry(): TokenExpiry {
    return new TokenExpiry(this.#dependencies.clock, {
      onExpiring: (inSeconds) => {
        this.#channel?.send({ type: 'expiring', inSeconds })
        this.#emit({ type: 'expiring', inSeconds })
      },
      onExpired: () => this.#expire(),
    })
  }

  #refused(
    step: HostStepName,
    by: 'host' | 'sdk' | 'page',
    { code, message, fix = '', traceId = '' }: ReportedFailure,
  ): void {
    this.#emit({ type: 'refused', by, step, code, message, fix, traceId })
    const trace = traceId && `Trace ${traceId}.`
    const detail = [message, fix, trace].filter(Boolean).join(' ')
    this.#reports.send({ step, outcome: 'failed', code: code.toUpperCase(), detail })
  }

  /** A finding of the service ends the wait; the service has recorded it. Without one the wait goes on. */
  async #diagnose(): Promise<void> {
    const launch = this.#launch
    const isSilent = () => this.#launch === launch && this.#helloWait.isWaiting
    const cancel = this.#dependencies.clock.after(LATE_PAGE_MS, () => {
      this.#isPageLate = isSilent() && this.#pageCheck.isAsking
      if (this.#isPageLate) this.#emitWaiting(SLOW_MS + LATE_PAGE_MS)
    })
    const finding = await this.#pageCheck.ask(launch.id)
    cancel()
    this.#isPageLate = false
    if (!isSilent()) return
    if (!finding) return this.#pageCheck.isFine ? this.#emitWaiting(SLOW_MS) : undefined
    this.#helloWait.stop()
    const afterMs = this.#dependencies.clock.now() - this.#openedAt
    const { code, cause: message, fix } = finding
    const step = findMissingStep(this.#view.steps)
    this.#emit({ type: 'hello_timeout', afterMs, step, code, message, fix })
  }

  #explainSilence(afterMs: number): Advice {
    const { isFine: isPageFine } = this.#pageCheck
    const { foreignOrigin } = this.#reports
    const seen = { foreignOrigin, isPageFine, isPageLate: this.#isPageLate }
    const { hostOrigin } = this.#dependencies
    return explainTimeout(this.#launch.app, { ...this.#view, ...seen }, hostOrigin, afterMs)
  }

  #emitWaiting(afterMs: number): void {
    this.#emit({ type: 'waiting', afterMs, ...this.#explainSilence(afterMs) })
  }

  #reportTimeout(): void {
    const { helloTimeoutMs: afterMs } = this.#dependencies
    const advice = this.#explainSilence(afterMs)
    const detail = `${advice.message} ${advice.fix}`
    this.#emit({ type: 'hello_timeout', afterMs, code: HANDSHAKE_TIMEOUT, ...advice })
    this.#reports.send({ step: 'handshake', outcome: 'failed', code: HANDSHAKE_TIMEOUT, detail })
  }

  /** A token cannot be refreshed: the app is launched again, here (spec §8). */
  #expire(): void {
    this.#channel?.send({ type: 'ended', reason: 'expired' })
    this.#stop()
    this.#relaunch('expired').catch((error: unknown) => {
      if (this.#ended) return
      const isTransient = error instanceof HostError && error.isTransient
      if (!isTransient) return this.end('expired')
      this.#expiry = this.#watchExpiry()
      this.#expiry.expireIn(RELAUNCH_PAUSE_MS)
    })
  }

  /**
   * Launches the app again. If the launch fails, the person decides; a refused Worker app ends, because it
   * must not go on with the earlier chart.
   */
  #openForNextChart(): void {
    this.#relaunch('chart_changed').catch((error: unknown) => {
      const isTransient = error instanceof HostError && error.isTransient
      if (this.kind === 'worker' && !isTransient) {
        this.endLaunch('chart_changed')
        return this.end('chart_changed')
      }
      this.#chart.apply({ type: 'relaunch_failed' })
    })
  }

  /** Concurrent requests share one new launch. */
  #relaunch(because: RelaunchCause): Promise<void> {
    this.#relaunching ??= this.#openNextLaunch(because).finally(() => {
      this.#relaunching = null
    })
    return this.#relaunching
  }

  async #openNextLaunch(because: RelaunchCause): Promise<void> {
    const { id: previous, app } = this.#launch
    const launch = await this.#dependencies.launch(app.id, this.kind)
    if (this.#ended === 'closed') {
      this.#dependencies.endLaunch(launch.id)
      throw new HostError('closed', `The frame of ${app.name} was closed.`)
    }
    if (because === 'chart_changed' && this.#chart.isBack) {
      this.#dependencies.endLaunch(launch.id)
      return this.#chart.apply({ type: 'launch_discarded' })
    }
    if (because === 'requested') this.endLaunch()
    if (because === 'chart_changed') {
      this.endLaunch(because)
      this.#channel?.send({ type: 'ended', reason: because })
    }
    this.show(launch)
    this.#emit({ type: 'relaunched', previous, because })
  }

  #stop(): void {
    this.#expiry?.cancel()
    this.#expiry = null
    // At the end of its launch the document stays, with what it has not saved.
    this.#hasUnsavedWork = false
    this.closeChannel()
    this.#helloWait.stop()
  }

  #emit(details: FrameEventDetails): void {
    this.#dependencies.emit({ ...details, frame: this, launch: this.#launch.id })
  }
}
