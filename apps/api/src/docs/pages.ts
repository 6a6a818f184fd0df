/** Loads nothing from anywhere else, so that it works without the internet. */
export const referencePage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>API reference</title>
    <link rel="icon" type="image/png" href="/v1/docs/favicon-32x32.png" />
    <link rel="stylesheet" href="/v1/docs/swagger-ui.css" />
  </head>
  <body>
    <div id="reference"></div>
    <script src="/v1/docs/swagger-ui-bundle.js"></script>
    <script src="/v1/docs/start.js"></script>
  </body>
</html>
`

export const referenceScript = `SwaggerUIBundle({
  url: '/v1/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  filter: true,
  persistAuthorization: false,
  validatorUrl: null,
})
`

/** The page for a person who opens the address in a browser. */
export const homePage = (origin: string, shown: { docs: boolean; dashboard: boolean }) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>svc</title>
    <link rel="icon" href="data:," />
    <style>
      body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 4rem auto; padding: 0 1rem; color: #1b1f24; background: #fff }
      pre { background: #f3f4f6; padding: 1rem; border-radius: 6px; overflow-x: auto }
      @media (prefers-color-scheme: dark) { body { color: #e6e8eb; background: #14171a } pre { background: #20252a } a { color: #8ab4f8 } }
    </style>
  </head>
  <body>
    <h1>svc</h1>
    <p>AI-agent sessions on git repositories. Agents work in sandboxes; their work reaches the default branch through change requests that people merge.</p>
${shown.dashboard ? '    <p><a href="/dashboard/">Dashboard</a></p>\n' : ''}    <h2>Command line</h2>
    <pre>svc hosts add here --url ${origin}
svc login --host here --token &lt;token&gt;
svc projects ls
svc sessions new --prompt "Add a health check"
svc cr ls</pre>
    <h2>API</h2>
    <pre>curl -H "Authorization: Bearer &lt;token&gt;" ${origin}/v1/projects</pre>
    ${shown.docs ? '<p><a href="/v1/docs">Interactive reference</a> · <a href="/v1/openapi.json">OpenAPI document</a> · <a href="/v1/health">Health</a></p>' : '<p><a href="/v1/health">Health</a></p>'}
  </body>
</html>
`
