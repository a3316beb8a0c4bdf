// The page for people who use it by keyboard, with a screen reader, or with colours of their own.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { testPng } from './support/images.mjs';
import {
  alertText, assertNoProblems, callIsHeld, chartIsComplete, choose, crash, dropFile, findWorkers, holdCalls, infoHas, letGo, pick,
  resultIsThere,
} from './support/page.mjs';
import { useBrowser } from './support/session.mjs';

const session = useBrowser();
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A small picture with a result, a block that is explained, a map, and its chart as far as it is computed. */
async function opened() {
  const page = await session.open();
  await choose(page, { preset: 'realtime' });
  await dropFile(page, 'small.png', testPng(48, 48));
  await infoHas(page, 'small.png');
  await resultIsThere(page);
  return page;
}

async function openedWithEverything() {
  const page = await opened();
  await page.selectOption('#map', 'error');
  await page.waitForSelector('#legend-card:not([hidden])');
  await page.focus('#viewer');
  await page.keyboard.press('ArrowRight');
  await page.waitForSelector('.block-body');
  await chartIsComplete(page);
  for (const summary of await page.locator('summary').all()) await summary.click();
  return page;
}

const focusIsOn = (page, selector) => page.waitForSelector(`${selector}:focus`);
const focused = (page) => page.evaluate(() => document.activeElement.id || document.activeElement.dataset.label || document.activeElement.tagName);

test('whoever closes the message goes on at the picture, or the map', async () => {
  const page = await opened();
  await dropFile(page, 'text.png', Buffer.from('This is no picture.'));
  await alertText(page);
  await page.focus('#alert-close');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#alert', { state: 'hidden' });
  assert.equal(await focused(page), 'viewer');
  await page.close();
  const tiles = await session.open('tiles.html', { expects: [/a crash that the test asked for/] });
  await tiles.waitForFunction(() => document.querySelector('#tile-metrics').dataset.tiles > 0);
  const [worker] = await findWorkers(tiles, 'tessera-tiles');
  await crash(worker);
  await alertText(tiles);
  await tiles.focus('#alert-close');
  await tiles.keyboard.press('Enter');
  await tiles.waitForSelector('#alert', { state: 'hidden' });
  assert.equal(await focused(tiles), 'tiles-view');
  await tiles.close();
});

test('a message that goes by itself takes no focus with it, and gives none away', async () => {
  const page = await opened();
  await dropFile(page, 'text.png', Buffer.from('This is no picture.'));
  await alertText(page);
  await page.focus('#block-size');
  await page.click('#encode');
  await resultIsThere(page);
  assert.equal(await focused(page), 'encode');
  await page.close();
});

/** Presses a button whose answer is kept back meanwhile; it must neither lose the focus nor work twice. */
async function assertKeepsFocus(page, worker, method, selector) {
  await page.focus(selector);
  await holdCalls(worker, method);
  await page.keyboard.press('Enter');
  await callIsHeld(worker);
  await page.waitForSelector(`${selector}[aria-disabled="true"]`);
  // A browser takes the focus away from what is disabled when it draws the next frame.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await focusIsOn(page, selector);
  await page.keyboard.press('Enter');
  assert.equal(await worker.evaluate(() => self.heldCalls()), 1, 'the button waits for its answer');
  await letGo(worker);
  await page.waitForSelector(`${selector}:not([aria-disabled])`);
  await focusIsOn(page, selector);
}

test('buttons keep the focus while they work', async () => {
  const page = await opened();
  const [engine] = await findWorkers(page, 'tessera-engine');
  await assertKeepsFocus(page, engine, 'difference', '#check-driver');
  assert.match(await page.textContent('#check-answer'), /texels are equal\.$/);
  const [downloaded] = await Promise.all([
    page.waitForEvent('download'),
    assertKeepsFocus(page, engine, 'file', '#downloads button[data-container="ktx2"]'),
  ]);
  assert.equal(downloaded.suggestedFilename(), 'small.ktx2');
  await page.close();
});

test('a download button keeps the focus when the next result comes, and is gone with its format', async () => {
  const page = await opened();
  await page.focus('#downloads button[data-container="astc"]');
  const [engine] = await findWorkers(page, 'tessera-engine');
  await holdCalls(engine, 'encode');
  await page.evaluate(() => document.querySelector('#settings').requestSubmit());
  await callIsHeld(engine);
  await letGo(engine);
  await resultIsThere(page);
  await focusIsOn(page, '#downloads button[data-container="astc"]');
  await dropFile(page, 'other.png', testPng(24, 24));
  await focusIsOn(page, '#viewer');
  await infoHas(page, 'other.png');
  await resultIsThere(page);
  await page.close();
});

test('the chart leaves the focus on its point when points are added', async () => {
  const page = await opened();
  await chartIsComplete(page);
  const [engine] = await findWorkers(page, 'tessera-engine');
  // The chart stops before its last points.
  await engine.evaluate(() => {
    const receive = self.onmessage;
    let points = 0;
    let held = null;
    self.onmessage = (event) => {
      if (event.data.method === 'chartPoint' && ++points === 5) held = event;
      else receive.call(self, event);
    };
    self.goOn = () => receive.call(self, held);
  });
  await page.click('#chart-button');
  await page.waitForFunction(() => document.querySelector('#chart-count').textContent === ' 5 of 14…');
  // The chosen block size, 6x6, is none of the first four, and the point of the focus is not the chosen one.
  await page.focus('#chart .point[data-label="5x4"]');
  await engine.evaluate(() => self.goOn());
  await chartIsComplete(page);
  assert.equal(await page.getAttribute('#chart .current', 'data-label'), '6x6');
  assert.equal(await focused(page), '5x4');
  assert.equal(await page.getAttribute('#chart .current', 'aria-pressed'), 'true');
  await dropFile(page, 'other.png', testPng(24, 24));
  await infoHas(page, 'other.png');
  await focusIsOn(page, '#chart-button');
  await page.close();
});

test('brackets move the divider on keyboards that have them behind AltGr or Option', async () => {
  const page = await opened();
  await page.focus('#viewer');
  const press = (key, modifiers) => page.evaluate(({ key, modifiers }) => {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...modifiers });
    document.querySelector('#viewer').dispatchEvent(event);
    return event.defaultPrevented;
  }, { key, modifiers });
  const divider = () => page.getAttribute('#divider', 'aria-valuenow');
  assert.ok(await press(']', { ctrlKey: true, altKey: true, modifierAltGraph: true }));
  assert.equal(await divider(), '52');
  assert.ok(await press('[', { altKey: true }));
  assert.ok(await press('[', { modifierAltGraph: true }));
  assert.equal(await divider(), '48');
  for (const modifiers of [{ ctrlKey: true }, { metaKey: true }]) assert.equal(await press('[', modifiers), false);
  assert.equal(await press('0', { ctrlKey: true }), false, 'the browser keeps its own zoom');
  assert.equal(await divider(), '48');
  await page.close();
});

test('the wheel scrolls the page, and zooms where the viewer has the focus or Control is held', async () => {
  const page = await opened();
  const zoom = () => page.textContent('#zoom-value');
  const zoomIsNot = (text) => page.waitForFunction((before) => document.querySelector('#zoom-value').textContent !== before, text);
  const inLargeWindow = await zoom();
  await page.setViewportSize({ width: 1000, height: 500 });
  await zoomIsNot(inLargeWindow); // the picture is fitted again when the viewer's new size is seen
  await page.evaluate(() => document.activeElement.blur());
  const fitted = await zoom();
  const scrolled = () => page.evaluate(() => scrollY);
  const overPicture = async () => {
    const box = await page.locator('#viewer').boundingBox();
    await page.mouse.move(box.x + box.width / 4, Math.max(box.y, 0) + 60);
  };
  await overPicture();
  await page.mouse.wheel(0, 40);
  await page.waitForFunction(() => scrollY > 0);
  assert.equal(await zoom(), fitted);
  const at = await scrolled();
  await overPicture();
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -40);
  await zoomIsNot(fitted);
  await page.keyboard.up('Control');
  await page.mouse.down();
  await page.mouse.up();
  await focusIsOn(page, '#viewer');
  const before = await zoom();
  await page.mouse.wheel(0, -40);
  await zoomIsNot(before);
  assert.equal(await scrolled(), at);
  await page.click('summary');
  assert.match(await page.textContent('#viewer-keys'), /wheel zooms once the picture was clicked/);
  await page.close();
});

async function assertNoViolations(page, where) {
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { violations, passes } = await globalThis.axe.run(document, { resultTypes: ['violations'] });
    const told = violations.flatMap(({ id, nodes }) => nodes.map(({ html, any }) => `${id}: ${html.slice(0, 120)} ${any[0]?.message ?? ''}`));
    return { told, names: passes.map(({ id }) => id) };
  });
  assert.ok(found.names.includes('color-contrast'), 'contrasts were computed');
  assert.deepEqual(found.told, [], where);
}

const themes = ['light', 'dark'];

test('axe finds nothing wrong in either theme', async () => {
  const page = await openedWithEverything();
  const tiles = await session.open('tiles.html');
  await tiles.waitForFunction(() => document.querySelector('#tile-metrics').dataset.tiles > 0);
  for (const colorScheme of themes) {
    for (const [shown, name] of [[page, 'index.html'], [tiles, 'tiles.html']]) {
      await shown.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await shown.waitForSelector(`html[data-theme="${colorScheme}"]`);
      await assertNoViolations(shown, `${name}, ${colorScheme}`);
    }
  }
  await dropFile(page, 'text.png', Buffer.from('This is no picture.'));
  await alertText(page);
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.waitForSelector(`html[data-theme="${colorScheme}"]`);
    await assertNoViolations(page, `a message, ${colorScheme}`);
  }
  await page.close();
  await tiles.close();
});

/** WCAG's ratio of two colours of the palette, 1 to 21. */
function contrast(a, b) {
  const luminance = (color) => {
    const [red, green, blue] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

test('the palette has enough contrast where axe does not look: the chart and the borders of controls', async () => {
  assert.equal(contrast('#000000', '#ffffff').toFixed(1), '21.0');
  const page = await session.open();
  const pairs = [['text-soft', 'surface', 4.5], ['accent', 'surface', 3], ['mark', 'surface', 3], ['line-strong', 'surface', 3], ['accent', 'ground', 3]];
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    await page.waitForSelector(`html[data-theme="${colorScheme}"]`);
    for (const [front, back, least] of pairs) {
      const colors = await page.evaluate((names) => names.map((name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()), [front, back]);
      const ratio = contrast(...colors);
      assert.ok(ratio >= least, `${colorScheme}: --${front} on --${back} has ${ratio.toFixed(2)}`);
    }
  }
  await page.close();
});

/** Of an element, and of what the system shows as chosen: background and text. */
const chosenColors = (page, selector) =>
  page.$eval(selector, (found) => {
    const probe = document.createElement('span');
    probe.style.cssText = 'forced-color-adjust: none; background: Highlight; color: HighlightText; transition: none';
    document.body.append(probe);
    const colors = [found, probe].map((element) => {
      const { backgroundColor, color } = getComputedStyle(element);
      return `${color} on ${backgroundColor}`;
    });
    probe.remove();
    return colors;
  });

test('what is chosen is told apart where the system gives the colours', async () => {
  const page = await openedWithEverything();
  await page.click('#samples button[data-kind="noise"]');
  await page.waitForSelector('#samples button[data-kind="noise"][aria-pressed="true"]');
  await resultIsThere(page);
  const tiles = await session.open('tiles.html');
  await tiles.click('#tile-scroll');
  const chosen = [
    [page, '#views input:checked + span'], [page, '#settings input:checked + span'],
    [page, '#samples button[aria-pressed="true"]'], [tiles, '#tile-scroll'],
  ];
  const style = (selector, name) => page.$eval(selector, (found, name) => getComputedStyle(found)[name], name);
  const differs = async (selector, other, name) => assert.notEqual(await style(selector, name), await style(other, name), `${name} of ${selector}`);
  for (const colorScheme of themes) {
    for (const shown of [page, tiles]) {
      await shown.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce', colorScheme });
      await shown.waitForSelector(`html[data-theme="${colorScheme}"]`);
    }
    for (const [shown, selector] of chosen) {
      const [colors, wanted] = await chosenColors(shown, selector);
      assert.equal(colors, wanted, `${selector}, ${colorScheme}`);
    }
    await differs('.bar nav a[aria-current]', '.bar nav a:not([aria-current])', 'outlineStyle');
    await page.waitForSelector('#chart .point:not(.current)');
    await differs('#chart .current circle:not(.target)', '#chart .point:not(.current) circle:not(.target)', 'fill');
  }
  await page.close();
  await tiles.close();
});

test('every control has a name, and no page is wider than its window', async () => {
  const page = await openedWithEverything();
  const tiles = await session.open('tiles.html');
  await tiles.waitForFunction(() => document.querySelector('#tile-metrics').dataset.tiles > 0);
  for (const [shown, name] of [[page, 'index.html'], [tiles, 'tiles.html']]) {
    const client = await shown.context().newCDPSession(shown);
    const { nodes } = await client.send('Accessibility.getFullAXTree');
    const controls = nodes.filter(({ role, ignored }) =>
      !ignored && ['button', 'slider', 'combobox', 'checkbox', 'radio', 'link', 'application', 'region'].includes(role?.value));
    assert.ok(controls.length > 5);
    for (const { role, name } of controls) assert.ok(name?.value, `a ${role.value} has no name`);
    for (const width of [320, 360, 800, 1400]) {
      await shown.setViewportSize({ width, height: 800 });
      const over = await shown.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(over <= 0, `${name} at ${width} is ${over} too wide`);
    }
  }
  // Fractal images have panels of their own, and their blocks other facts.
  await choose(page, { format: 'fractal' });
  await resultIsThere(page);
  await pick(page, 'view', 'panes');
  await page.focus('#viewer');
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => document.querySelector('#block-title').textContent.startsWith('Leaf of'));
  for (const width of [320, 800]) {
    await page.setViewportSize({ width, height: 800 });
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(over <= 0, `a fractal image at ${width} is ${over} too wide`);
  }
  assertNoProblems(page);
  await page.close();
  await tiles.close();
});
