import './style/main.css'
import { render } from 'preact'
import { showOnion } from './onion'
import { App } from './panels/App'
import { showRegions } from './regionView'
import { listenToKeys } from './shortcuts'
import { connect } from './studio'
import { followTake } from './takeLink'
import { watch } from './watch'

render(<App />, document.getElementById('studio')!)
listenToKeys()
showOnion()
showRegions()
followTake()
connect()
watch()
