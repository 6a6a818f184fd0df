// Shows what is pushed while no page is open, and opens the page that it is about.
self.addEventListener('push', (event) => {
  const { title, text, url, tag } = event.data.json()
  event.waitUntil(self.registration.showNotification(title, { body: text, tag, data: { url } }))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data.url))
})

async function open(url) {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const page = pages.find((one) => one.url === url) ?? pages[0]
  if (page === undefined) return self.clients.openWindow(url)
  if (page.url !== url) await page.navigate(url)
  return page.focus()
}
