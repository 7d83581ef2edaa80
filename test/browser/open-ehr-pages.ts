// Pages with the structure of two open-source EHRs, rebuilt from their public sources; no code of theirs.
// OpenMRS 3 (openmrs-distro-referenceapplication, gateway): one page whose address changes by script, under
// the policy that its gateway sends. OpenEMR (interface/main/tabs): one address, a frame for each
// of its own tabs, which scripts navigate.
import type { RequestListener } from 'node:http'

export const OPENMRS_HOME = '/openmrs/spa/home'
export const OPENEMR_MAIN = '/interface/main/tabs/main.php'

const OPENMRS_POLICY = [
  "default-src 'self' 'unsafe-inline' 'unsafe-eval' localhost localhost:*",
  "base-uri 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "object-src 'self' blob:",
  "frame-ancestors 'self'",
].join('; ')

/** Notes what a policy blocks, so that a test can read it. */
const WATCH = `<script>
  window.blocked = []
  addEventListener('securitypolicyviolation', ({ blockedURI, violatedDirective }) =>
    window.blocked.push(violatedDirective + ' ' + blockedURI))
</script>`

const OPENMRS_PAGE = `<!doctype html><html lang="en"><head><title>OpenMRS</title>${WATCH}</head>
<body><div id="omrs-apps-container"></div>
<script>
  const show = () => {
    const [, patient] = /\\/patient\\/([^/]+)\\/chart/.exec(location.pathname) ?? []
    const app = document.createElement('main')
    app.innerHTML = patient
      ? '<h1>Patient ' + patient + '</h1><a href="home">Home</a>'
      : '<h1>Home</h1><a href="patient/100GEJ/chart/Patient%20Summary">Patient</a>'
    // As a router does: everything in the body is drawn again.
    document.body.replaceChildren(app)
  }
  addEventListener('click', (event) => {
    const link = event.target.closest?.('a')
    if (!link) return
    event.preventDefault()
    history.pushState({}, '', '/openmrs/spa/' + link.getAttribute('href'))
    show()
  })
  addEventListener('popstate', show)
  show()
</script></body></html>`

const OPENEMR_PAGE = `<!doctype html><html lang="en"><head><title>OpenEMR</title>${WATCH}
<style>iframe { width: 100%; height: 300px; border: 0 } .hidden { display: none }</style></head>
<body><nav><button id="calendar">Calendar</button> <button id="next">Next patient</button></nav>
<div class="frameDisplay hidden"><iframe name="cal" src="/interface/main/calendar/index.php"></iframe></div>
<div class="frameDisplay"><iframe name="pat" src="/interface/patient_file/summary/demographics.php?set_pid=1"></iframe></div>
<script>
  let patient = 1
  next.onclick = () => {
    patient += 1
    frames.pat.location = '/interface/patient_file/summary/demographics.php?set_pid=' + patient
  }
  calendar.onclick = () => {
    for (const element of document.querySelectorAll('.frameDisplay')) element.classList.toggle('hidden')
  }
</script></body></html>`

export const answerOpenEhr: RequestListener = (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://ehr.localhost')
  const html = { 'content-type': 'text/html; charset=utf-8' }
  if (pathname.startsWith('/openmrs/spa')) {
    const headers = {
      'content-security-policy': OPENMRS_POLICY,
      'x-xss-protection': '1; mode=block',
    }
    response.writeHead(200, { ...html, ...headers }).end(OPENMRS_PAGE)
  } else if (pathname === OPENEMR_MAIN) {
    response.writeHead(200, { ...html, 'x-frame-options': 'SAMEORIGIN' }).end(OPENEMR_PAGE)
  } else {
    const patient = searchParams.get('set_pid')?.replace(/\D/g, '') ?? ''
    response
      .writeHead(200, { ...html, 'x-frame-options': 'SAMEORIGIN' })
      .end(
        `<!doctype html><title>${pathname.replace(/[<&]/g, '')}</title><h1>Patient ${patient}</h1>`,
      )
  }
}
