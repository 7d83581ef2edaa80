// Asks the provider before an app with unsaved work is opened anew. Owns the dialog; the caller acts
// on the answer.
import { button, el } from './elements.ts'

export function confirmLoss(app: string): Promise<boolean> {
  const dialog = document.createElement('dialog')
  const title = `${app} has unsaved work.`
  dialog.setAttribute('aria-label', title)
  dialog.append(
    el('p', { class: 'cover-title' }, title),
    el('p', {}, 'Opening it again may lose what was typed.'),
    el(
      'div',
      { class: 'actions' },
      button('Keep it open', () => dialog.close()),
      button('Open again', () => dialog.close('again')),
    ),
  )
  document.body.append(dialog)
  dialog.showModal()
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(dialog.returnValue === 'again')
    })
  })
}
