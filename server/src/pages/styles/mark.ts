// The Gatehouse mark: a gate tower whose door is a keyhole. Its own colours stand on light and on dark.

export const mark = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img" aria-label="Gatehouse">
<defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop stop-color="#5b74f5"/><stop offset="1" stop-color="#2f45b8"/></linearGradient></defs>
<rect width="64" height="64" rx="15" fill="url(#g)"/>
<path fill="#fff" d="M15 15h8v6h5v-6h8v6h5v-6h8v13l-3 4v17H18V32l-3-4z"/>
<path fill="#2f45b8" d="M32 30a5.5 5.5 0 0 1 2.9 10.2L37 49H27l2.100-8.800A5.500 5.500 0 0 1 32 30z"/>
</svg>
`
