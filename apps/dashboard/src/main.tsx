import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { begin } from './sign-in/begin.ts'
import './design/tokens.css'
import './design/base.css'
import './design/controls.css'
import './design/charts.css'
import './design/surfaces.css'
import './design/frame.css'
import './design/frame-narrow.css'
import './design/code.css'

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no place for the dashboard')
const pages = createRoot(root)
// Once, before the pages are there: an answer of the authorization server is taken a single time.
const beginning = await begin()
pages.render(
  <StrictMode>
    <App beginning={beginning} />
  </StrictMode>,
)
