// What a realm's style sheet may contain. Names with escapes (`u\72l`) are on no list and therefore refused.

/** At-rules that only arrange rules. @import and @font-face fetch, @charset and @namespace change how the sheet is read. */
export const allowedAtRules: ReadonlySet<string> = new Set(['media', 'supports', 'keyframes', 'layer', 'container'])

/** Functions that compute. Left out are all that fetch from a plain string: image-set(), image(), src(), and expression(). */
export const allowedFunctions: ReadonlySet<string> = new Set([
  ...['var', 'env', 'calc', 'min', 'max', 'clamp', 'round', 'mod', 'rem', 'abs', 'sign'],
  ...['rgb', 'rgba', 'hsl', 'hsla', 'hwb', 'lab', 'lch', 'oklab', 'oklch', 'color', 'color-mix', 'light-dark'],
  ...['linear-gradient', 'radial-gradient', 'conic-gradient'],
  ...['repeating-linear-gradient', 'repeating-radial-gradient', 'repeating-conic-gradient'],
  ...['cubic-bezier', 'steps', 'linear'],
  ...['matrix', 'matrix3d', 'perspective', 'rotate', 'rotate3d', 'rotatex', 'rotatey', 'rotatez'],
  ...['scale', 'scale3d', 'scalex', 'scaley', 'scalez', 'skew', 'skewx', 'skewy'],
  ...['translate', 'translate3d', 'translatex', 'translatey', 'translatez'],
  ...['blur', 'brightness', 'contrast', 'drop-shadow', 'grayscale', 'hue-rotate', 'invert', 'opacity', 'saturate'],
  ...['sepia', 'circle', 'ellipse', 'inset', 'polygon', 'minmax', 'repeat', 'fit-content'],
])

/** Properties that ran scripts in old browsers, by name without vendor prefix. */
export const refusedProperties: ReadonlySet<string> = new Set(['behavior', 'binding'])

/** Attributes whose values are part of our markup and never hold anything secret or typed. */
export const matchableAttributes: ReadonlySet<string> = new Set([
  ...['type', 'name', 'id', 'class', 'dir', 'lang', 'role', 'aria-invalid', 'aria-current', 'aria-hidden'],
])
