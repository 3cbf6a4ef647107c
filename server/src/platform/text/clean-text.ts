// Words that strangers chose (an application's name, a message to compare) as one line that reads in the order it is written.

/** Line ends and other controls, each of which would break the line or hide what follows. */
const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu

/**
 * Characters without a picture: those that turn the direction of text around (U+202E makes “gpj.exe” read “exe.jpg”), spaces
 * of no width, fillers. The joiners and variation selectors stay: scripts and emoji are written with them.
 */
const invisible = /[\p{Default_Ignorable_Code_Point}--\p{Join_Control}--\p{Variation_Selector}]/gv

/** No script needs more than three marks on a letter; a pile of them covers the lines around it. */
const piledMarks = /(\p{M}{3})\p{M}+/gu

export function cleanText(text: string): string {
  return text.replaceAll(breaks, ' ').replaceAll(invisible, '').replaceAll(piledMarks, '$1').toWellFormed().trim()
}
