import qrcode from 'qrcode-generator'

const QUIET = 4

/** A text as a QR code, drawn as one path so that it is sharp at any size. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const code = qrcode(0, 'M')
  code.addData(text)
  code.make()
  const count = code.getModuleCount()
  const cells = Array.from({ length: count * count }, (_, index) => [index % count, Math.floor(index / count)] as const)
  const path = cells.flatMap(([x, y]) => (code.isDark(y, x) ? [`M${x + QUIET} ${y + QUIET}h1v1h-1z`] : [])).join('')
  const size = count + 2 * QUIET
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <path d={path} fill="#000" />
    </svg>
  )
}
