// On Node 20 the other gateway appends to the headers of what `fetch` answers, which may not be: they are copied for it.
const { fetch, Response } = globalThis
globalThis.fetch = async (...args) => {
  const { body, status, statusText, headers } = await fetch(...args)
  return new Response(body, { status, statusText, headers: new globalThis.Headers(headers) })
}
