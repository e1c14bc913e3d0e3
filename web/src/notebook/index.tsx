/** The widget's page, as anywidget loads it: one file, with its styles. */
import { render as draw } from 'preact'
import base from '../style/base.css?inline'
import controls from '../style/controls.css?inline'
import sliders from '../style/sliders.css?inline'
import stage from '../style/stage.css?inline'
import viewport from '../style/viewport.css?inline'
import type { Model } from './model'
import own from './notebook.css?inline'
import { ViewState } from './state'
import { View } from './View'

const STYLES = [base, controls, viewport, stage, sliders, own].join('\n')

function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  const state = new ViewState(model)
  const root = hostIn(el).attachShadow({ mode: 'open' }) // the notebook's styles end here, and so do ours
  const style = document.createElement('style')
  style.textContent = STYLES
  const body = document.createElement('div')
  root.append(style, body)
  body.addEventListener('pointerover', showTip)
  for (const name of ['keydown', 'keyup', 'keypress'] as const) body.addEventListener(name, keep)
  draw(<View state={state} />, body)
  return () => {
    draw(null, body)
    state.dispose()
    root.host.remove()
  }
}

function hostIn(el: HTMLElement): HTMLElement {
  const host = document.createElement('div')
  host.setAttribute('data-lm-suppress-shortcuts', 'true') // JupyterLab's, which would add cells while a name is typed
  el.append(host)
  return host
}

/** Keys that are pressed here are not meant for the notebook. */
const keep = (event: Event) => event.stopPropagation()

/** The words of a control as the browser's own tooltip, which no cell can cut off. */
function showTip(event: Event): void {
  const element = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-tip]') : null
  if (element) element.title = element.dataset.tip ?? ''
}

export default { render }
