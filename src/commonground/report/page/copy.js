// Commands and signatures that can be copied by a click.

function copyButton(text) {
  const button = element("button", "copy", "Copy");
  button.type = "button";
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      copyOldWay(text); // pages opened from a file have no clipboard in some browsers
    }
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 1500);
  });
  return button;
}

function copyOldWay(text) {
  const area = element("textarea", "unseen");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

function copyable(text) {
  return element("div", "code", element("pre", "", element("code", "", text)), copyButton(text));
}

for (const code of document.querySelectorAll(".code")) code.append(copyButton(code.textContent));
