// Filters the reference while a person types, and opens what an address points to. The page is whole without
// it. Requests nothing, keeps nothing.
const search = document.querySelector('#search')
const count = document.querySelector('#count')
const operations = [...document.querySelectorAll('article')].map((element) => ({
  element,
  text: element.dataset.search,
}))

function filter() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
  let shown = 0
  for (const { element, text } of operations) {
    element.hidden = !words.every((word) => text.includes(word))
    if (!element.hidden) shown += 1
  }
  for (const section of document.querySelectorAll('main section')) {
    const own = [...section.querySelectorAll('article')]
    section.hidden = words.length > 0 && own.every(({ hidden }) => hidden)
  }
  count.textContent = words.length > 0 ? `${shown} of ${operations.length} operations` : ''
}

/** The details of the operation that the address names. */
function openTarget() {
  const target = document.getElementById(location.hash.slice(1))
  const details = target?.querySelector('details')
  if (details) details.open = true
}

search.parentElement.hidden = false
search.addEventListener('input', filter)
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.matches('input')
  if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey) {
    event.preventDefault()
    search.focus()
  }
  if (event.key === 'Escape' && isTyping) {
    search.value = ''
    filter()
  }
})
addEventListener('hashchange', openTarget)
openTarget()
