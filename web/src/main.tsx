import './style/main.css'
import { render } from 'preact'
import { App } from './app/App'
import { start } from './app/start'
import './style/windows.css'

start()
render(<App />, document.getElementById('studio')!)
