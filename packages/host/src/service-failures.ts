// Emits each failed call to the service as an event, before the caller gets the error. It changes
// no answer and no error. Contract §5.
import { HostError } from './errors.ts'
import type { HostEvent, ServiceCall } from './events.ts'
import type { ServiceClient } from './service.ts'

export function emitFailures(
  service: ServiceClient,
  emit: (event: HostEvent) => void,
): ServiceClient {
  const emitting =
    <A extends unknown[], R>(call: ServiceCall, send: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      try {
        return await send(...args)
      } catch (error) {
        if (error instanceof HostError) emit(buildFailure(call, error))
        throw error
      }
    }
  return {
    ...service,
    createLaunch: emitting('launch', service.createLaunch),
    introspect: emitting('introspect', service.introspect),
    reportStep: emitting('step', service.reportStep),
    endLaunch: emitting('end', service.endLaunch),
  }
}

export function buildFailure(call: ServiceCall, error: HostError): HostEvent {
  const { code, message, status, traceId } = error
  return { type: 'failed', call, code, message, status, traceId }
}
