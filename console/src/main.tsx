import { render } from 'preact'
import { App } from './app.tsx'
import './styles/base.css'
import './styles/frame.css'
import './styles/controls.css'
import './styles/live.css'
import './styles/sources.css'
import './styles/system.css'

render(<App />, document.getElementById('console')!)
