// The search of the guide. The index is a script, so that it also works from disk.
"use strict";

(() => {
  const RESULTS_MAX = 30;
  const EXCERPT_CHARS = 160;
  const root = document.currentScript ? document.currentScript.dataset.root : "";
  const input = document.getElementById("words");
  const results = document.getElementById("results");
  const article = document.querySelector("article");
  const index = (window.SEARCH_INDEX || []).map((entry) => ({
    ...entry,
    title: entry.t.toLowerCase(),
    page: entry.p.toLowerCase(),
    text: entry.x.toLowerCase(),
  }));

  function count(text, word) {
    return text.split(word).length - 1;
  }

  /** How well a section fits; 0 if a word is missing. */
  function score(entry, words) {
    let sum = 0;
    for (const word of words) {
      const inTitle = count(entry.title, word);
      const inPage = count(entry.page, word);
      const inText = count(entry.text, word);
      if (inTitle + inPage + inText === 0) {
        return 0;
      }
      sum += 40 * inTitle + 10 * inPage + Math.min(inText, 10);
      sum += entry.title === word ? 60 : 0;
    }
    return sum;
  }

  function excerpt(entry, words) {
    const at = Math.max(0, Math.min(...words.map((word) => {
      const found = entry.text.indexOf(word);
      return found < 0 ? entry.text.length : found;
    })) - 40);
    const from = at >= entry.x.length ? 0 : at;
    return (from > 0 ? "… " : "") + entry.x.slice(from, from + EXCERPT_CHARS) + (from + EXCERPT_CHARS < entry.x.length ? " …" : "");
  }

  function show() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    results.hidden = words.length === 0;
    article.hidden = words.length > 0;
    results.replaceChildren();
    if (words.length === 0) {
      return;
    }
    const found = index
      .map((entry) => ({ entry, points: score(entry, words) }))
      .filter((it) => it.points > 0)
      .sort((a, b) => b.points - a.points)
      .slice(0, RESULTS_MAX);
    const heading = document.createElement("h1");
    heading.textContent = found.length === 0 ? "Nothing was found" : "Search results";
    results.append(heading);
    for (const { entry } of found) {
      const link = document.createElement("a");
      link.href = root + entry.u;
      link.className = "result";
      const title = document.createElement("strong");
      title.textContent = entry.p === entry.t ? entry.t : `${entry.p}: ${entry.t}`;
      const text = document.createElement("span");
      text.textContent = excerpt(entry, words);
      link.append(title, text);
      link.addEventListener("click", () => {
        input.value = "";
        show();
      });
      results.append(link);
    }
  }

  function move(step) {
    const links = [...results.querySelectorAll("a")];
    const next = links.indexOf(document.activeElement) + step;
    (next < 0 ? input : links[Math.min(next, links.length - 1)] || input).focus();
  }

  input.addEventListener("input", show);
  document.getElementById("search").addEventListener("submit", (event) => {
    event.preventDefault();
    const first = results.querySelector("a");
    if (first) {
      first.click();
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== input) {
      event.preventDefault();
      input.focus();
    } else if (event.key === "Escape" && !results.hidden) {
      input.value = "";
      show();
    } else if (!results.hidden && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      move(event.key === "ArrowDown" ? 1 : -1);
    }
  });
})();
