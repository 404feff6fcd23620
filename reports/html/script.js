"use strict";
// All that this adds is comfort: one seed picked out in every chart, and a
// line at the same instant in every lane.
for (const picker of document.querySelectorAll(".picker")) {
	const scenario = picker.closest("section");
	const figures = scenario.querySelectorAll("figure.metric");
	const seeds = picker.dataset.seeds.split(" ");

	const show = (index) => {
		for (const figure of figures) {
			figure.classList.toggle("chosen", index >= 0);
			for (const g of figure.querySelectorAll(".seed")) g.classList.toggle("on", Number(g.dataset.seed) === index);
			const readout = figure.querySelector(".readout");
			readout.textContent = "";
			if (index < 0) continue;
			const heads = figure.querySelectorAll("thead th"), row = figure.querySelectorAll("tbody tr")[index];
			const parts = [...row.querySelectorAll("td")].map((cell, i) => heads[i + 1].textContent + " " + cell.textContent);
			readout.textContent = "seed " + seeds[index] + ": " + parts.join(", ");
		}
	};

	const label = document.createElement("label"), select = document.createElement("select");
	for (const [value, text] of [[-1, "none"], ...seeds.map((seed, i) => [i, seed])]) select.add(new Option(text, value));
	label.append("Pick out a seed ", select);
	picker.append(label);
	select.addEventListener("change", () => show(Number(select.value)));
	for (const figure of figures) {
		figure.addEventListener("click", (event) => {
			const seed = event.target.closest(".seed");
			if (!seed) return;
			select.value = select.value === seed.dataset.seed ? -1 : seed.dataset.seed;
			show(Number(select.value));
		});
	}
}

for (const timeline of document.querySelectorAll(".timeline")) {
	timeline.addEventListener("pointermove", (event) => {
		const stage = event.target.closest(".stage");
		timeline.style.setProperty("--shown", stage ? "block" : "none");
		if (!stage) return;
		const box = stage.getBoundingClientRect();
		timeline.style.setProperty("--at", (event.clientX - box.left) + "px");
	});
	timeline.addEventListener("pointerleave", () => timeline.style.setProperty("--shown", "none"));
}
