// Ends with 0 when the service of this container is ready to work.
const { SVC_INTERNAL_HOST = '127.0.0.1', SVC_INTERNAL_PORT } = process.env
const answer = await fetch(`http://${SVC_INTERNAL_HOST}:${SVC_INTERNAL_PORT}/readyz`).catch(() => null)
process.exit(answer?.ok ? 0 : 1)
