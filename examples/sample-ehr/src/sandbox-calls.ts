// What the sample EHR's server asks of the sandbox that runs it: to whom a launch belongs, and to
// register an app of a developer. Types only; the sandbox answers through the public API.

export interface NewApp {
  readonly name: string
  readonly launchUrl: string
  readonly redirectUri: string
}

/** An app that the developer starts; `environment` is what it has to be started with. */
export interface AddedApp {
  readonly appId: string
  readonly name: string
  /** True when the app was registered before: `name` is the name that it has, not the one that was typed. */
  readonly wasRegistered: boolean
  readonly environment: Readonly<Record<string, string>>
}

export interface SandboxCalls {
  /** The EHR session of a launch, by `Launch.id`. */
  findSession(launch: string): Promise<string | null>
  /** @throws Error whose message is for the developer */
  addApp(app: NewApp): Promise<AddedApp>
}
