// The second half of ckernel.c: walks and batches, the check against the golden file, the command line.

// ---- walks and batches ----------------------------------------------------------------------------------------------
#define END UINT32_MAX
static uint32_t *token, *window; // walks, END between them; the windows of an epoch as places in token
static size_t tokens, nwindows, drawn;
static uint64_t epochpairs;

static char *slurp(const char *path, size_t *size) {
	FILE *f = fopen(path, "rb");
	if (!f || fseek(f, 0, SEEK_END)) { perror(path); exit(2); }
	*size = ftell(f), rewind(f);
	char *s = malloc(*size + 1);
	if (!s || fread(s, 1, *size, f) != *size) { perror(path); exit(2); }
	fclose(f), s[*size] = 0;
	return s;
}
// nameid numbers names in order of first appearance.
static uint32_t nameid(const char *s, size_t len) {
	static struct { const char *s; uint32_t len, id; } *slot;
	static uint32_t cap, used;
	if (2 * used >= cap) {
		uint32_t old = cap;
		void *was = slot;
		cap = cap ? 2 * cap : 1 << 16, slot = calloc(cap, sizeof *slot);
		for (uint32_t i = 0; i < old; i++) {
			__typeof__(slot) o = (__typeof__(slot))was + i;
			if (!o->s) continue;
			uint32_t h = 2166136261u;
			for (uint32_t k = 0; k < o->len; k++) h = (h ^ (uint8_t)o->s[k]) * 16777619u;
			while (slot[h & (cap - 1)].s) h++;
			slot[h & (cap - 1)] = *o;
		}
		free(was);
	}
	uint32_t h = 2166136261u;
	for (size_t k = 0; k < len; k++) h = (h ^ (uint8_t)s[k]) * 16777619u;
	for (; slot[h & (cap - 1)].s; h++)
		if (slot[h & (cap - 1)].len == len && !memcmp(slot[h & (cap - 1)].s, s, len)) return slot[h & (cap - 1)].id;
	slot[h & (cap - 1)].s = s, slot[h & (cap - 1)].len = len;
	return slot[h & (cap - 1)].id = used++;
}
// readwalks returns the number of vertices. Numbers are ranked, so that ids are dense; names are taken as they appear.
static uint32_t readwalks(const char *path) {
	size_t size;
	char *s = slurp(path, &size);
	int numbers = 1;
	for (size_t i = 0; i < size; i++) numbers &= (s[i] >= '0' && s[i] <= '9') || strchr(" \t\r\n", s[i]) != NULL;
	token = malloc((size + 4) * sizeof *token), window = malloc((size + 4) * sizeof *window);
	uint32_t top = 0;
again:
	tokens = 0, token[tokens++] = END;
	for (char *p = s; *p;) {
		if (*p == '\n' || *p == ' ' || *p == '\t' || *p == '\r') {
			if (*p++ == '\n' && token[tokens - 1] != END) token[tokens++] = END;
			continue;
		}
		size_t len = strcspn(p, " \t\r\n");
		if (numbers && len > 8) { numbers = 0, top = 0; goto again; }
		uint32_t id = numbers ? (uint32_t)strtoul(p, NULL, 10) : nameid(p, len);
		top = id > top ? id : top, token[tokens++] = id, p += len;
	}
	token[tokens++] = END;
	if (numbers) {
		uint32_t *rank = calloc(top + 1ul, sizeof *rank), next = 0;
		for (size_t i = 0; i < tokens; i++) if (token[i] != END) rank[token[i]] = 1;
		for (uint32_t v = 0; v <= top; v++) if (rank[v]) rank[v] = next++;
		for (size_t i = 0; i < tokens; i++) if (token[i] != END) token[i] = rank[token[i]];
		top = next - 1, free(rank);
	}
	for (size_t i = 1; i + 1 < tokens; i++) {
		if (token[i] == END || (token[i - 1] == END && token[i + 1] == END)) continue;
		window[nwindows++] = i;
		for (size_t k = 1; k <= WINDOW && token[i - k] != END; k++) epochpairs++;
		for (size_t k = 1; k <= WINDOW && token[i + k] != END; k++) epochpairs++;
	}
	if (!nwindows || top < 2 * MAXC) { fprintf(stderr, "ckernel: %s: %u vertices: want walks over more than %d\n", path, top + 1, 2 * MAXC); exit(2); }
	free(s);
	return top + 1;
}
// nextbatch fills b with whole windows, drawn without replacement, of at most size pairs; negatives are drawn anew.
// Returns 1 after the last batch of an epoch.
static int nextbatch(uint32_t size) {
	clearbatch();
	while (drawn < nwindows && b.pairs + MAXC <= size) {
		size_t block = nwindows - drawn < 64 ? nwindows - drawn : 64, at[64];
		for (size_t i = 0; i < block; i++) at[i] = drawn + i + below(nwindows - drawn - i), __builtin_prefetch(window + at[i]);
		for (size_t i = 0; i < block; i++) {
			uint32_t t = window[at[i]];
			window[at[i]] = window[drawn + i], window[drawn + i] = t;
			__builtin_prefetch(token + t);
		}
		for (size_t i = 0; i < block && b.pairs + MAXC <= size; i++, drawn++) {
			const uint32_t *t = token + window[drawn];
			uint32_t rows[MAXR], in[MAXC];
			int c = 0, left = 0, right = 0;
			while (left < WINDOW && t[-left - 1] != END) left++;
			while (right < WINDOW && t[right + 1] != END) right++;
			for (int k = -left; k <= right; k++) if (k) rows[c++] = t[k];
			for (int k = 0; k < MAXC; k++) in[k] = rows[k < c ? k : 0];
			for (int k = c; k < c * (1 + NEG); k++) {
				uint32_t r, hit;
				do {
					r = below(n), hit = 0;
					for (int q = 0; q < MAXC; q++) hit |= in[q] == r;
				} while (hit);
				rows[k] = r;
			}
			addwindow(*t, c, rows);
		}
	}
	sortbatch();
	if (drawn < nwindows) return 0;
	drawn = 0;
	return 1;
}
static void caprows(void) { // DeepWalk only: rows longer than 1 are scaled to 1 after an epoch
	for (uint32_t v = 0; v < n; v++)
		for (int t = 0; t < 2; t++) {
			REAL *x = (REAL *)(t ? Q[v] : P[v]), s = 0;
			for (int j = 0; j < D; j++) s += x[j] * x[j];
			for (int j = 0; s > 1 && j < D; j++) x[j] /= (REAL)sqrt(s);
		}
}

// ---- the check ------------------------------------------------------------------------------------------------------
// numbers reads the flattened numbers of the first "key" after from, n at most; the golden file is small and ours.
static const char *numbers(const char *from, const char *key, double *out, int max, int *got) {
	char quoted[64];
	snprintf(quoted, sizeof quoted, "\"%s\":", key);
	const char *p = from ? strstr(from, quoted) : NULL;
	*got = 0;
	if (!p) { fprintf(stderr, "ckernel: golden file lacks %s\n", key); exit(2); }
	p += strlen(quoted);
	for (int depth = 0; *p; p++) {
		if (*p == '[') depth++;
		else if (*p == ']') depth--;
		else if (strchr("-0123456789", *p) && *got < max) { char *e; out[(*got)++] = strtod(p, &e), p = e - 1; }
		if (depth == 0 && *got) return p;
	}
	return p;
}
static double worst;
static int compare(const char *what, double got, double want) {
	double tol = DOUBLE ? 2e-8 : 2e-6, off = fabs(got - want); // the golden file has 9 digits
	worst = off > worst ? off : worst;
	if (off <= tol) return 0;
	printf("%s: %.9g, golden file %.9g\n", what, got, want);
	return 1;
}
static int comparetables(const char *what, const char *at, const char *kp, const char *kq, int grad) {
	double x[64];
	int got, bad = 0, aspects = K;
	numbers(at, kp, x, 64, &got);
	for (int i = 0; i < got; i++) bad += compare(what, ((REAL *)(grad ? PG : P)[i / D])[i % D], x[i]);
	numbers(at, kq, x, 64, &got);
	for (int i = 0; i < got; i++) bad += compare(what, *q_at(grad ? QG : Q, i / D % n, i / D / n % aspects, i % D), x[i]);
	return bad;
}
static void reset(const double *p, const double *q) {
	for (uint32_t v = 0; v < n; v++)
		for (int j = 0; j < D; j++) {
			((REAL *)P[v])[j] = p[v * D + j];
			for (int s = 0; s < K; s++) *q_at(Q, v, s, j) = q[(s * n + v) * D + j];
		}
}
// goldenbatch fills b with windows from..to-1 of the golden file: window 0 is pairs 0-2, window 1 is pairs 3-4.
static void goldenbatch(const double *pairs, const double *negs, int from, int to) {
	clearbatch();
	for (int w = from, i = from ? 3 : 0; w < to; w++) {
		uint32_t r[MAXR];
		int c = w ? 2 : 3;
		for (int k = 0; k < c; k++) {
			r[k] = pairs[2 * (i + k) + 1];
			for (int m = 0; m < NEG; m++) r[c + m * c + k] = negs[NEG * (i + k) + m];
		}
		addwindow(pairs[2 * i], c, r), i += c;
	}
	sortbatch();
}
static void memcpy_real(REAL *to, const double *from, int count) { for (int i = 0; i < count; i++) to[i] = from[i]; }
static int check(const char *path) {
	size_t size;
	int got, bad = 0, cases = 0;
	char *json = slurp(path, &size);
	double p[64], q[64], pairs[64], negs[64], perpair[64] = {0}, perwindow[64] = {0}, owner[64], x[64];
	if (D != 2 || (K != 2 && K != 1)) { fprintf(stderr, "ckernel: --check wants -DD=2 and -DK=2 or -DK=1\n"); return 2; }
	setup(6, 64), lambda = 0;
	numbers(json, "P", p, 64, &got), numbers(json, "Q", q, 64, &got);
	numbers(json, "pairs", pairs, 64, &got), numbers(json, "negatives", negs, 64, &got), numbers(json, "pair_window", owner, 64, &got);
	numbers(json, "gumbel_noise_per_pair", perpair, 64, &got), numbers(json, "gumbel_noise_per_window", perwindow, 64, &got);
	reset(p, q), goldenbatch(pairs, negs, 0, 2);
	if (K == 1) {
		const char *at = strstr(json, "\"deepwalk_warmup\"");
		numbers(at, "loss", x, 1, &got), bad += compare("deepwalk loss", windows(), *x), rows(0);
		bad += comparetables("deepwalk gradient", at, "grad_P", "grad_C", 1), cases++;
	} else {
		const char *names[] = {"\"gumbel_window\"", "\"gumbel_pair\"", "\"gumbel_pair_plus_reg\""};
		for (int c = 0; c < 3; c++) {
			const char *at = strstr(json, names[c]);
			noisepair = c > 0, lambda = c == 2 ? .01 : 0;
			memcpy_real(noise, c ? perpair : perwindow, 10);
			numbers(at, "total_loss", x, 1, &got);
			double loss = windows();
			rows(0);
			if (c == 2) { // rows(0) leaves the regularizer out
				double reg = 0;
				for (uint32_t v = 0; v < n; v++) reg += regularize(Q[v], QG[v]);
				loss += lambda * reg;
			}
			bad += compare(names[c], loss, *x), bad += comparetables(names[c], at, "grad_P", "grad_Q", 1), cases++;
		}
		const char *at = strstr(json, "\"adam_two_steps\"");
		noisepair = 1, lambda = .01; // both steps include the regularizer
		for (int s = 0; s < 2; s++, cases++) {
			at = strstr(at + 1, "\"batch_pairs\"");
			goldenbatch(pairs, negs, s, s + 1);
			memcpy_real(noise, perpair + (s ? 3 * K : 0), 10);
			numbers(at, "loss", x, 1, &got), x[1] = windows(), x[1] += rows(1);
			bad += compare("adam loss", x[1], *x);
			bad += comparetables("adam", at, "P_after", "Q_after", 0);
		}
	}
	printf("{\"check\": \"%s\", \"real\": \"%s\", \"k\": %d, \"cases\": %d, \"worst_difference\": %.2g, \"failures\": %d}\n", path, DOUBLE ? "double" : "float", K, cases, worst, bad);
	return bad != 0;
}

// ---- main -----------------------------------------------------------------------------------------------------------
static double number(int *i, int argc, char **argv) {
	char *e = NULL;
	if (*i + 1 >= argc) { fprintf(stderr, "ckernel: %s: want a value\n", argv[*i]); exit(2); }
	double x = strtod(argv[++*i], &e);
	if (*e || e == argv[*i] || !(x >= 0)) { fprintf(stderr, "ckernel: %s %s: want a number >= 0\n", argv[*i - 1], argv[*i]); exit(2); }
	return x;
}
int main(int argc, char **argv) {
	const char *path = NULL;
	long batches = 0, warmup = 5, kernel = 40;
	uint32_t size = 50000;
	uint64_t s = 1;
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--check") && i + 1 < argc) return check(argv[i + 1]);
		else if (!strcmp(argv[i], "--batches")) batches = number(&i, argc, argv);
		else if (!strcmp(argv[i], "--warmup")) warmup = number(&i, argc, argv);
		else if (!strcmp(argv[i], "--kernel-batches")) kernel = number(&i, argc, argv);
		else if (!strcmp(argv[i], "--batch")) size = number(&i, argc, argv);
		else if (!strcmp(argv[i], "--seed")) s = number(&i, argc, argv);
		else if (!strcmp(argv[i], "--lambda")) lambda = number(&i, argc, argv);
		else if (!strcmp(argv[i], "--epsilon")) epsilon = number(&i, argc, argv);
		else if (!strcmp(argv[i], "--learning-rate")) lr = number(&i, argc, argv);
		else if (!strcmp(argv[i], "--noise") && i + 1 < argc && (!strcmp(argv[i + 1], "pair") || !strcmp(argv[i + 1], "window"))) noisepair = argv[++i][0] == 'p';
		else if (argv[i][0] != '-' && !path) path = argv[i];
		else { fprintf(stderr, "ckernel: %s: unknown; usage: ckernel [--batches N] [--warmup N] [--kernel-batches N] [--batch PAIRS] [--noise pair|window] [--lambda X] [--epsilon X] [--learning-rate X] [--seed N] WALKS | --check GOLDEN.json\n", argv[i]); return 2; }
	}
	if (!path || size < 2 * MAXC) { fprintf(stderr, "ckernel: want one file of walks and batches of at least %d pairs\n", 2 * MAXC); return 2; }
	seed(s);
	uint32_t vertices = readwalks(path);
	setup(vertices, size);
	for (uint32_t v = 0; v < n; v++)
		for (int j = 0; j < D; j++) {
			((REAL *)P[v])[j] = (REAL).01 * gauss();
			for (int a = 0; a < K; a++) *q_at(Q, v, a, j) = (REAL).01 * gauss();
		}
	if (!batches) batches = epochpairs / size + 1;
	double *losses = malloc((batches + warmup) * sizeof *losses), prep = 0, noisetime = 0, first = 0, second = 0, start = 0;
	uint64_t pairs = 0;
	for (long t = 0; t < batches + warmup; t++) {
		if (t == warmup) start = now(), prep = noisetime = first = second = pairs = 0;
		double t0 = now();
		int last = nextbatch(size);
		double t1 = now();
		if (K > 1) drawnoise();
		double t2 = now();
		losses[t] = windows();
		double t3 = now();
		losses[t] += rows(1);
		if (last && K == 1) caprows();
		prep += t1 - t0, noisetime += t2 - t1, first += t3 - t2, second += now() - t3, pairs += b.pairs;
	}
	double seconds = now() - start, alone = 0;
	uint64_t alonepairs = 0;
	for (long t = 0; t < kernel; t++) {
		nextbatch(size);
		if (K > 1) drawnoise();
		double t0 = now();
		windows(), rows(0);
		alone += now() - t0, alonepairs += b.pairs;
	}
	struct rusage ru;
	getrusage(RUSAGE_SELF, &ru);
	printf("{\"contestant\": \"ckernel\", \"engine\": \"c\", \"method\": \"%s\", \"d\": %d, \"k\": %d, \"threads\": 1, \"noise\": \"%s\", \"lambda\": %g, ", K == 1 ? "deepwalk" : "asp2vec", D, K, noisepair ? "pair" : "window", lambda);
	printf("\"pairs_per_second\": %.0f, \"pairs\": %llu, \"seconds\": %.4f, \"kernel_pairs_per_second\": %.0f, \"peak_rss_bytes\": %ld, ", pairs / seconds, (unsigned long long)pairs, seconds, alone > 0 ? alonepairs / alone : 0, ru.ru_maxrss * 1024L);
	printf("\"stage_seconds\": {\"prepare\": %.4f, \"noise\": %.4f, \"windows\": %.4f, \"rows\": %.4f}, \"vertices\": %u, \"batch\": %u, \"lanes\": %d, \"compiler\": \"%s\", \"losses\": [", prep, noisetime, first, second, n, size, VL, __VERSION__);
	for (long t = 0; t < batches + warmup; t++) printf("%s%.6g", t ? ", " : "", losses[t]);
	printf("]}\n");
	return 0;
}
