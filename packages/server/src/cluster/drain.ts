// Whether this node is on its way out. From the first moment it is not ready and asks its clients to
// close their connections, while it serves as before: balancers need some seconds to see that. Owns
// that one fact; app.ts owns the order of a stop. docs/operate/operations.md.

export interface Drain {
  isDraining(): boolean
  begin(): void
}

export interface HasDrain {
  readonly drain: Drain
}

export function drain(): Drain {
  let isDraining = false
  return {
    isDraining: () => isDraining,
    begin() {
      isDraining = true
    },
  }
}
