// What a frame needs of its host: the service, the clock, the events and the next launch. Types only;
// host.ts fills them in.
import type { AppKind, OpenedLaunch } from '@chartside/protocol/launch'
import type { ChartReferences } from './chart-references.ts'
import type { Clock } from './clock.ts'
import type { HostEvent } from './events.ts'
import type { ChartRules } from './frame-chart.ts'
import type { ServiceClient } from './service.ts'

export interface FrameDependencies {
  readonly service: Pick<ServiceClient, 'diagnose' | 'introspect' | 'reportStep'>
  readonly clock: Clock
  readonly hostOrigin: string
  readonly hostVersion: string | undefined
  readonly helloTimeoutMs: number
  readonly charts: ChartReferences
  /** Returns the rules by the collection version of the session. */
  findChartRules(appId: string, kind: AppKind): ChartRules
  emit(event: HostEvent): void
  /** A new launch whose URL may be shown; rejects with HostError. */
  launch(appId: string, kind: AppKind): Promise<OpenedLaunch>
  /** Ends a launch that no frame shows. */
  endLaunch(launch: string, reason?: 'chart_changed'): void
  /** Runs when a frame closes; `id` is that with which the frame was made. */
  onClosed(frame: { readonly id: string }): void
}
