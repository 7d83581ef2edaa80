// Tracks the faults: for each, the launch flows that were in flight or began before it ended, and how
// many of them failed. A failure without a fault counts as unexplained. Counts only; causes nothing.

export interface Fault {
  readonly name: string
  readonly atMs: number
  /** In flight at the instant of the fault. */
  readonly inFlight: number
  /** With the flows that began before the last process and connection of the fault was gone. */
  exposed: number
  failed: number
}

export interface FaultTracker {
  readonly faults: readonly Fault[]
  readonly unexplained: readonly string[]
  begin(name: string, atMs: number, inFlight: Iterable<object>): { end(): Promise<void> }
  started(flow: object): void
  failed(flow: object, why: string): void
}

export function trackFaults(): FaultTracker {
  const faults: Fault[] = []
  const unexplained: string[] = []
  const exposedTo = new WeakMap<object, Fault>()
  const open = new Set<Fault>()
  const expose = (flow: object, fault: Fault) => {
    exposedTo.set(flow, fault)
    fault.exposed += 1
  }
  return {
    faults,
    unexplained,
    begin(name, atMs, inFlight) {
      const flows = [...inFlight]
      const fault = { name, atMs, inFlight: flows.length, exposed: 0, failed: 0 }
      for (const flow of flows) expose(flow, fault)
      faults.push(fault)
      open.add(fault)
      return {
        async end() {
          // The event loop reports the closed connections before the next immediate.
          await new Promise((resolve) => setImmediate(resolve))
          open.delete(fault)
        },
      }
    },
    started(flow) {
      for (const fault of open) expose(flow, fault)
    },
    failed(flow, why) {
      const fault = exposedTo.get(flow)
      if (fault) fault.failed += 1
      else unexplained.push(why)
    },
  }
}
