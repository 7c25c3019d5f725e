// The list of results: two or more that are ticked can be tested together.

for (const form of document.querySelectorAll(".ticks")) {
  const button = form.querySelector("button");
  const told = () => {
    button.disabled = form.querySelectorAll("input:checked").length < 2;
  };
  form.addEventListener("change", told);
  addEventListener("pageshow", told); // a browser that goes back keeps what was ticked
  told();
}
