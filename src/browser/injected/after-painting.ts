/** Resolves once the document has been painted twice, or soon, if it is not painted because it is not visible. */
export async function afterPainting(): Promise<void> {
  const painted = new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(resolve));
  });
  const late = new Promise((resolve) => {
    setTimeout(resolve, 250);
  });
  await Promise.race([painted, late]);
}
