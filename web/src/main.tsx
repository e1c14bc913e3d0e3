import './style/main.css'
import { render } from 'preact'
import { showOnion } from './features/timeline/onion'
import { App } from './app/App'
import { showRegions } from './features/regions/colors'
import { listenToKeys } from './app/shortcuts'
import { connect } from './core/server'
import { followTake } from './features/take/follow'
import { watch } from './app/watch'

render(<App />, document.getElementById('studio')!)
listenToKeys()
showOnion()
showRegions()
followTake()
connect()
watch()
