// The sample data of a development installation: two practices, their providers, three kinds of EHR
// and two sample apps, so that the first launch needs no set-up. Plain data; nothing here exists
// in staging or production. The sandbox reads the same file.

/** The password of every sample user. Development on loopback only. */
export const SAMPLE_PASSWORD = 'chart-side-sandbox'

export const SAMPLE_ADMIN_EMAIL = 'admin@chartside.example'

export const SAMPLE_PRACTICES = [
  {
    name: 'Lakeside Family Practice',
    providers: [
      { name: 'Dr. Amara Okafor', email: 'amara.okafor@lakeside.example' },
      { name: 'Dr. Jonas Lindqvist', email: 'jonas.lindqvist@lakeside.example' },
    ],
  },
  {
    name: 'Northgate Cardiology',
    providers: [
      { name: 'Dr. Mei Tanaka', email: 'mei.tanaka@northgate.example' },
      { name: 'Dr. Luis Herrera', email: 'luis.herrera@northgate.example' },
    ],
  },
] as const

/**
 * The sample EHRs at any port of the sandbox. One loads a page for each chart, one replaces the path by
 * pushState, one keeps the chart in the fragment.
 */
export const SAMPLE_EHRS = [
  {
    ehrType: 'meadow',
    name: 'Meadow EHR',
    matches: ['http://ehr.localhost/meadow/*'],
    charts: ['http://ehr.localhost:*/meadow/patients/:chart{/*}?'],
  },
  {
    ehrType: 'summit',
    name: 'Summit Clinical',
    matches: ['http://ehr.localhost/summit/*'],
    charts: ['http://ehr.localhost:*/summit/chart/:chart{/*}?'],
  },
  {
    ehrType: 'harbor',
    name: 'Harbor Records',
    matches: ['http://ehr.localhost/harbor/*'],
    charts: ['http://ehr.localhost:*/harbor/app?*#/p/:chart{/*}?'],
  },
] as const

/** The vendor's account that owns the sample apps, and its developer. */
export const SAMPLE_VENDOR = {
  name: 'Sample Apps Inc.',
  developer: { name: 'Dana Developer', email: 'dana@sample-apps.example' },
} as const

/** The app of option 1 (spec §5.1): its own server exchanges the code. */
export const SAMPLE_UI_APP = {
  name: 'Visit Notes',
  exchange: 'app',
  launchUrl: 'http://visit-notes.chartside.localhost:4702/launch',
  redirectUris: ['http://visit-notes.chartside.localhost:4702/callback'],
} as const

/** The app of option 2 (spec §5.2): a registered token endpoint relays the exchange. */
export const SAMPLE_WORKER_APP = {
  name: 'Coding Watch',
  exchange: 'token_endpoint',
  workerLaunchUrl: 'http://coding-watch.chartside.localhost:4703/launch',
  redirectUris: ['http://coding-watch.chartside.localhost:4703/callback'],
  tokenEndpoint: 'http://coding-watch.chartside.localhost:4703/token',
} as const
