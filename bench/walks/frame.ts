/**
 * Rooms that every request, job and sweep goes through, whatever it is about: read once, they are known for all walks.
 * The manifest's reader and a sandbox provider are rooms of their own, of which a walk sees the door alone.
 */
const frame = [
  /^apps\/api\/src\/(door|middleware)\//,
  /^apps\/api\/src\/[^/]+\.ts$/,
  /^apps\/api\/src\/(oauth|preview-host)\//,
  /^packages\/(access|boot|context|errors|facts|files|platform|queue|timing|vault)\//,
  /^packages\/db\/src\/kit\//,
  /^packages\/git\/src\/(objects|runner|parse|storage)\//,
  /^packages\/(manifest|sandbox)\/src\//,
]

export function isFrame(file: string): boolean {
  return frame.some((room) => room.test(file))
}
