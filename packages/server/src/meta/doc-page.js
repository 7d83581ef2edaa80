// Starts the reference in the page of /doc, from the document that the service itself serves, in the
// colours that the person prefers. Keeps nothing: a token that is typed in is gone with the page.
const prefersDark = matchMedia('(prefers-color-scheme: dark)')
const followColours = () =>
  document.documentElement.classList.toggle('dark-mode', prefersDark.matches)
prefersDark.addEventListener('change', followColours)
followColours()

window.SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  displayOperationId: true,
  displayRequestDuration: true,
  docExpansion: 'list',
  defaultModelRendering: 'example',
  defaultModelsExpandDepth: 0,
  filter: true,
  validatorUrl: null,
})
