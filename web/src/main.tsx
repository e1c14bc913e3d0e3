import './style/main.css'
import { render } from 'preact'
import { showOnion } from './onion'
import { App } from './panels/App'
import { listenToKeys } from './shortcuts'
import { connect } from './studio'
import { followTake } from './takeLink'
import { watch } from './watch'

render(<App />, document.getElementById('studio')!)
listenToKeys()
showOnion()
followTake()
connect()
watch()
