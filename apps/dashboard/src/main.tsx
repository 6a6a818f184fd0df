import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { begin } from './sign-in/begin.ts'
import './style/page.css'
import './style/forms.css'
import './style/parts.css'
import './style/conversation.css'
import './style/patch.css'

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no place for the dashboard')
const pages = createRoot(root)
pages.render(
  <main>
    <p role="status">Loading…</p>
  </main>,
)
// Once, before the pages are there: an answer of the authorization server is taken a single time.
const beginning = await begin()
pages.render(
  <StrictMode>
    <App beginning={beginning} />
  </StrictMode>,
)
