// ckernel: the limit against which the Go trainer is measured. One file, one thread, sizes fixed at compile time.
//
//	gcc -O3 -march=native -ffast-math -DD=20 -DK=5 -o ckernel ckernel.c -lm      asp2vec, 5 aspects of 20 numbers
//	gcc -O3 -march=native -ffast-math -DD=100 -DK=1 -o ckernel ckernel.c -lm     DeepWalk, 100 numbers
//
//	ckernel [--batches N] [--warmup N] [--noise pair|window] [...] WALKS         one JSON line
//	ckernel --check GOLDEN.json      (-DD=2 -DK=2 or -DK=1, best with -DREAL=double) losses, gradients, Adam steps
//
// The model: negative sampling weighted by Gumbel-softmax aspect probabilities, mean over pairs x K, plus lambda times the
// sum over all vertices of |cosine| > epsilon between aspects, dense Adam; DeepWalk is the same without aspects.
// How it is made fast, none of which changes a number beyond rounding:
//   1. The readout is a mean of context rows, so a logit <P, mean Q_b> is the mean of scores <P, Q_b> that the loss needs
//      anyway, and its gradient joins the coefficients of those rows. No readout vector is ever formed.
//   2. A row holds K aspects interleaved: lane (j mod J)*K + s of vector j/J is dimension j of aspect s, J = lanes/K. One
//      multiply serves J dimensions of all aspects, and scores come out packed for the exponentials (K=5: 15 of 16 lanes).
//   3. Nothing is scattered: a window leaves one record (K coefficients and the centre) per touched row; the second pass
//      walks the records of a row (counting sort), keeps its gradient in registers, adds the regularizer and applies Adam.
#define _GNU_SOURCE
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#ifdef __AVX512F__
#include <immintrin.h>
#endif

#ifndef D
#define D 20 // numbers per embedding
#endif
#ifndef K
#define K 5 // aspects; 1 is DeepWalk
#endif
#ifndef REAL
#define REAL float
#endif
#ifndef WINDOW
#define WINDOW 3 // contexts on each side
#endif
#ifndef NEG
#define NEG 2 // negatives per pair
#endif
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define IS_float 0
#define IS_double 1
#define DOUBLE CAT(IS_, REAL)
#ifdef __AVX512F__
#define VBYTES 64
#else
#define VBYTES (K * (DOUBLE ? 8 : 4) > 32 ? 64 : 32)
#endif
#define VL (VBYTES / (DOUBLE ? 8 : 4)) // lanes of a vector
#define J (VL / K)                     // dimensions in a vector
#define NV ((D + J - 1) / J)           // vectors in a row of Q
#define PV ((NV * J + VL - 1) / VL + 1) // vectors in a row of P, which is stored plainly; the last one pads
#define MAXC (2 * WINDOW)
#define MAXR (MAXC * (1 + NEG))
#define CV ((MAXC + J - 1) / J)                                         // vectors of scores, for one row per pair
#define RECW (K == 1 ? 2 : K < 4 ? 4 : K < 8 ? 8 : K < 16 ? 16 : 32)    // a record: K coefficients, centre
_Static_assert(K <= VL, "more aspects than lanes");

#if DOUBLE
typedef int64_t lane_int;
#else
typedef int32_t lane_int;
#endif
typedef REAL V __attribute__((vector_size(VBYTES)));
typedef lane_int VI __attribute__((vector_size(VBYTES)));
typedef REAL VU __attribute__((vector_size(VBYTES), aligned(sizeof(REAL)), may_alias)); // unaligned loads
#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 64")

// ---- lanes ----------------------------------------------------------------------------------------------------------
#define LANES4(F) F(0), F(1), F(2), F(3)
#define LANES8(F) LANES4(F), F(4), F(5), F(6), F(7)
#define LANES16(F) LANES8(F), F(8), F(9), F(10), F(11), F(12), F(13), F(14), F(15)
#if VBYTES == 64 && !DOUBLE
#define LANES(F) LANES16(F)
#elif VBYTES == 64 || !DOUBLE
#define LANES(F) LANES8(F)
#else
#define LANES(F) LANES4(F)
#endif
#define SELF(l) l
#define ASPECT(l) ((l) < J * K ? (l) % K : 0)
#define GROUP(l) ((l) < J * K ? (l) / K : 0)
#define VALIDL(l) ((l) < J * K ? -1 : 0)
#define LANE ((VI){LANES(SELF)})   // 0,1,2..
#define S ((VI){LANES(ASPECT)})    // aspect of a lane
#define G ((VI){LANES(GROUP)})     // its dimension within the vector, or its row in packed scores
#define VALID ((VI){LANES(VALIDL)}) // all ones where the lane is used

INLINE V splat(REAL x) { return x - (V){}; }
INLINE V sel(VI m, V a, V b) { return (V)((m & (VI)a) | (~m & (VI)b)); }
INLINE V perm(V a, VI idx) { return __builtin_shuffle(a, idx); }
#if defined(__AVX512F__) && !DOUBLE
INLINE V vmax(V a, V b) { return (V)_mm512_max_ps((__m512)a, (__m512)b); }
INLINE V vsqrt(V a) { return (V)_mm512_sqrt_ps((__m512)a); }
#else
INLINE V vmax(V a, V b) { return sel(a > b, a, b); }
INLINE V vsqrt(V a) { V r = {}; for (int l = 0; l < VL; l++) r[l] = DOUBLE ? sqrt(a[l]) : sqrtf(a[l]); return r; }
#endif
INLINE V vabs(V x) { return (V)((VI)x & (VI)(LANE - LANE + (((lane_int)-1) & ~((lane_int)1 << (8 * sizeof(REAL) - 1))))); }
// rotate aspects within each dimension: lane of aspect s receives aspect s+r
INLINE V rot(V x, int r) { return perm(x, VALID & (G * K + (S + r) % K)); }
// sum over groups, into all groups
INLINE V sumgroups(V x) {
	V y = x;
	UNROLL for (int h = 1; h < J; h++) y += perm(x, VALID & ((LANE + h * K) % (J * K)));
	return y;
}
INLINE V sumaspects(V x) {
	V y = x;
	UNROLL for (int r = 1; r < K; r++) y += rot(x, r);
	return y;
}
INLINE V maxaspects(V x) {
	V y = x;
	UNROLL for (int r = 1; r < K; r++) y = vmax(y, rot(x, r));
	return y;
}
INLINE V tile(V x, int g) { return perm(x, S + g * K); } // group g of x in every group
INLINE REAL total(V x) { REAL t = 0; for (int l = 0; l < J * K; l++) t += x[l]; return t; }

// fold packs J accumulators: group g of the result is the sum over the groups of x[g].
INLINE V fold(V *x) {
#if VL % K == 0
	UNROLL for (int n = J, w = VL; n > 1; n /= 2, w /= 2) { // a tree: halves of two vectors are added side by side
		VI first = (LANE / (VL / 2)) * VL + ((LANE % (VL / 2)) / (w / 2)) * w + LANE % (w / 2);
		UNROLL for (int i = 0; i < n / 2; i++)
			x[i] = __builtin_shuffle(x[2 * i], x[2 * i + 1], first) + __builtin_shuffle(x[2 * i], x[2 * i + 1], first + w / 2);
	}
	return x[0];
#else
	V y = {};
	UNROLL for (int h = 0; h < J; h++) {
		V m = perm(x[0], S + h * K);
		UNROLL for (int g = 1; g < J; g++) {
			VI here = (G == g) & VALID;
			m = __builtin_shuffle(m, x[g], (here & (VL + h * K + S)) | (~here & LANE));
		}
		y += m;
	}
	return y;
#endif
}

// ---- functions of one vector ----------------------------------------------------------------------------------------
#if DOUBLE
INLINE V expneg(V x) { V r = {}; for (int l = 0; l < VL; l++) r[l] = exp(x[l]); return r; }
INLINE V vlog(V x) { V r = {}; for (int l = 0; l < VL; l++) r[l] = log(x[l]); return r; }
INLINE void softplus(V z, V *sp, V *sg) {
	for (int l = 0; l < VL; l++) {
		double e = exp(-fabs(z[l]));
		(*sp)[l] = fmax(z[l], 0) + log1p(e);
		(*sg)[l] = (z[l] >= 0 ? 1 : e) / (1 + e);
	}
}
#else
// expneg is exp(x) for x <= 0, relative error about 2e-7; below -87 it stays at exp(-87).
INLINE V expneg(V x) {
	x = vmax(x, splat(-87));
	VI n = __builtin_convertvector(x * 1.44269504f - 0.5f, VI);
	V k = __builtin_convertvector(n, V), r = x - k * 0.693359375f + k * 2.12194440e-4f;
	V p = ((((r * (1.f / 720) + 1.f / 120) * r + 1.f / 24) * r + 1.f / 6) * r + .5f) * r * r + r + 1;
	return (V)((VI)p + (n << 23));
}
// vlog is log(x) for normal x > 0: mantissa in [sqrt(1/2), sqrt 2), then 2 atanh((m-1)/(m+1)).
INLINE V vlog(V x) {
	VI e = ((VI)x - 0x3f3504f3) >> 23;
	V m = (V)((VI)x - (e << 23)), t = (m - 1) / (m + 1), u = t * t;
	return 2 * t * ((((u * (1.f / 9) + 1.f / 7) * u + .2f) * u + 1.f / 3) * u + 1) + __builtin_convertvector(e, V) * 0.69314718f;
}
// softplus gives log(1+exp z) and its derivative, the sigmoid, from one exponential and one division.
INLINE void softplus(V z, V *sp, V *sg) {
	V a = vabs(z), e = expneg(-a), r = 1 / ((1 + e) * (2 + e)), q = r * (2 + e), t = e * r * (1 + e), u = t * t;
	V l = 2 * t * (((((u * (1.f / 11) + 1.f / 9) * u + 1.f / 7) * u + .2f) * u + 1.f / 3) * u + 1);
	*sp = (z + a) * .5f + l;
	*sg = sel((VI)z >> 31, e * q, q);
}
#endif

// ---- random numbers: xoshiro128++ in 16 independent lanes -----------------------------------------------------------
typedef uint32_t R16 __attribute__((vector_size(64)));
static R16 rs[4];
static uint32_t rbuf[256];
static int rpos = 256;
INLINE R16 rot32(R16 x, int k) { return (x << k) | (x >> (32 - k)); }
INLINE R16 random16(void) {
	R16 r = rot32(rs[0] + rs[3], 7) + rs[0], t = rs[1] << 9;
	rs[2] ^= rs[0], rs[3] ^= rs[1], rs[1] ^= rs[2], rs[0] ^= rs[3], rs[2] ^= t, rs[3] = rot32(rs[3], 11);
	return r;
}
static void seed(uint64_t s) {
	for (int i = 0; i < 64; i++) {
		uint64_t z = (s += 0x9e3779b97f4a7c15u);
		z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u, z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
		rs[i / 16][i % 16] = (uint32_t)(z >> 32) | 1;
	}
}
INLINE uint32_t below(uint32_t n) { // uniform in 0..n-1, bias below n/2^32
	if (rpos == 256) {
		for (int i = 0; i < 256; i += 16) { R16 r = random16(); memcpy(rbuf + i, &r, 64); }
		rpos = 0;
	}
	return (uint32_t)(((uint64_t)rbuf[rpos++] * n) >> 32);
}
static REAL gauss(void) { // only for the start
	return (REAL)(sqrt(-2 * log((below(1u << 30) + .5) / (1u << 30))) * cos(6.283185307179586 * below(1u << 30) / (1u << 30)));
}

static void *table(size_t bytes) { // zeroed, on huge pages where the system has them
	bytes = (bytes + 4096 + (1 << 21) - 1) >> 21 << 21;
	void *p = aligned_alloc(1 << 21, bytes);
	if (!p) { fprintf(stderr, "ckernel: out of memory\n"); exit(1); }
	madvise(p, bytes, MADV_HUGEPAGE);
	return memset(p, 0, bytes);
}
static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + 1e-9 * t.tv_nsec;
}

// ---- state ----------------------------------------------------------------------------------------------------------
static uint32_t n;                              // vertices
static V (*P)[PV], (*Pm)[PV], (*Pv)[PV];        // (n,D) centres, plain, and Adam's moments
static V (*Q)[NV], (*Qm)[NV], (*Qv)[NV];        // (n,K,D) aspects, interleaved
static V (*GP)[NV], (*PG)[PV], (*QG)[NV];       // gradient of P while it is summed, spread as in Q; results of rows(0)
static struct { uint32_t w, pairs, recs, *centre, *first, *count, *row, *order, *start; uint8_t *bag; } b; // the batch
static REAL *rec, *noise;
static int noisepair, step;
static double tau = .5, lambda = .01, epsilon = .5, lr = .003;

static void setup(uint32_t vertices, uint32_t maxpairs) {
	n = vertices;
	size_t np = (size_t)n * sizeof *P, nq = (size_t)n * sizeof *Q, mr = (size_t)maxpairs * (1 + NEG) + MAXR;
	P = table(np), Pm = table(np), Pv = table(np), Q = table(nq), Qm = table(nq), Qv = table(nq), GP = table(nq), PG = table(np), QG = table(nq);
	rec = table((mr * RECW + VL) * sizeof(REAL)), noise = table(((size_t)maxpairs * K + 4 * VL) * sizeof(REAL));
	b.centre = table(maxpairs * 4ul), b.first = table(maxpairs * 4ul), b.count = table(maxpairs * 4ul), b.bag = table(maxpairs);
	b.row = table(mr * 4), b.order = table(mr * 4), b.start = table((n + 2) * 4ul);
}
INLINE REAL *q_at(V (*t)[NV], uint32_t v, int s, int j) { return (REAL *)t[v] + (j / J) * VL + (j % J) * K + s; }
INLINE void expand(const V *p, V *out) { // the plain row of P, each number under all aspects
	if (K == 1) { UNROLL for (int x = 0; x < NV; x++) out[x] = p[x]; return; }
	UNROLL for (int x = 0; x < NV; x++) out[x] = __builtin_shuffle(p[x * J / VL], p[x * J / VL + 1], G + x * J % VL);
}

// addwindow appends a window of c contexts; negatives follow as NEG blocks of c. bag marks the first of equal contexts.
INLINE void addwindow(uint32_t centre, int c, const uint32_t *rows) {
	b.centre[b.w] = centre, b.first[b.w] = b.recs, b.count[b.w] = c;
	int bag = 0;
	for (int i = 0; i < c; i++) {
		int seen = 0;
		for (int k = 0; k < i; k++) seen |= rows[k] == rows[i];
		bag |= !seen << i;
	}
	b.bag[b.w++] = bag, b.pairs += c;
	for (int i = 0; i < c * (1 + NEG); i++) b.row[b.recs++] = rows[i], b.start[rows[i] + 2]++;
}
static void clearbatch(void) { b.w = b.pairs = b.recs = 0, memset(b.start, 0, (n + 2) * 4ul); }
static void sortbatch(void) { // start[r]..start[r+1] become the places of row r in order
	for (uint32_t v = 2; v <= n + 1; v++) b.start[v] += b.start[v - 1];
	for (uint32_t i = 0; i < b.recs; i++) b.order[b.start[b.row[i] + 1]++] = i;
}
static void drawnoise(void) {
	size_t want = (size_t)(noisepair ? b.pairs : b.w) * K;
	for (size_t i = 0; i < want; i += VL) {
		R16 r = random16();
		V u;
#if DOUBLE || VBYTES == 32
		for (int l = 0; l < VL; l++) u[l] = ((r[l] >> 9) + (REAL).5) * (REAL)(1. / (1 << 23));
#else
		u = (__builtin_convertvector((VI)(r >> 9), V) + .5f) * (1.f / (1 << 23)); // never 0 nor 1
#endif
		*(VU *)(noise + i) = -vlog(-vlog(u));
	}
}

// ---- the step -------------------------------------------------------------------------------------------------------
// windows is the first pass: scores, probabilities, coefficients into rec, the gradient of P. Returns the summed loss.
static double windows(void) {
	const REAL scale = (REAL)1 / ((REAL)b.pairs * K), ct = (REAL)(1 / tau);
	V bags[1 << (J < 8 ? J : 1)];
	for (int m = 0; m < (1 << (J < 8 ? J : 1)); m++) bags[m] = (V)((((m >> G) & 1) == 1) & VALID & (VI)splat(1));
	V losses = {};
	size_t pair = 0;
	for (uint32_t w = 0; w < b.w; w++) {
		const uint32_t *row = b.row + b.first[w], centre = b.centre[w];
		const int c = b.count[w], nr = c * (1 + NEG);
		if (w + 1 < b.w) // rows of the next window on their way while this one is computed
			for (int i = 0, m = b.count[w + 1] * (1 + NEG); i < m; i++)
				for (int x = 0; x < NV; x++) __builtin_prefetch(Q[row[nr + i]] + x);
		V p[NV], x[J], u[1 + NEG][CV], g[1 + NEG][CV];
		expand(P[centre], p);
#if K == 1
		V pack[(MAXR + J - 1) / J];
		for (int v = 0; v * J < nr; v++) { // all rows in one sequence, contexts first
			for (int i = 0; i < J; i++) {
				V a = {};
				if (v * J + i < nr) { V *q = Q[row[v * J + i]]; UNROLL for (int k = 0; k < NV; k++) a += q[k] * p[k]; }
				x[i] = a;
			}
			V y = fold(x), sp, sg;
			VI ctx = (LANE + v * J) < c, in = (LANE + v * J) < nr;
			softplus(sel(ctx, -y, y), &sp, &sg);
			losses += (V)((VI)sp & in);
			pack[v] = sel(ctx, -sg, sg) * scale;
		}
		(void)u, (void)g, (void)bags, (void)ct, (void)pair;
#else
		const int cv = (c + J - 1) / J;
		for (int k = 0; k <= NEG; k++)
			for (int v = 0; v < cv; v++) {
				UNROLL for (int i = 0; i < J; i++) {
					V a = {};
					if (v * J + i < c) { V *q = Q[row[k * c + v * J + i]]; UNROLL for (int y = 0; y < NV; y++) a += q[y] * p[y]; }
					x[i] = a;
				}
				u[k][v] = fold(x);
			}
		// logits: the mean of the scores of distinct contexts
		V a = {};
		for (int v = 0; v < cv; v++)
			if (J < 8) a += u[0][v] * bags[(b.bag[w] >> v * J) & ((1 << J) - 1)];
			else a += (V)((VI)u[0][v] & (((b.bag[w] >> (v * J + G)) & 1) == 1));
		const REAL inv = (REAL)1 / __builtin_popcount(b.bag[w]);
		a = sumgroups(a) * inv;
		V prob[CV], lw = {}, ts = {};
		if (!noisepair) {
			V z = (a + tile(*(VU *)(noise + (size_t)w * K), 0)) * ct;
			V e = expneg(z - maxaspects(z));
			prob[0] = e / sumaspects(e);
		}
		for (int v = 0; v < cv; v++) {
			VI in = VALID & ((G + v * J) < c);
			V l = {}, sp;
			for (int k = 0; k <= NEG; k++) {
				softplus(k ? u[k][v] : -u[k][v], &sp, &g[k][v]);
				l += sp;
			}
			l = (V)((VI)l & in);
			if (noisepair) {
				V z = (a + *(VU *)(noise + (pair + v * J) * K)) * ct;
				V e = expneg(z - maxaspects(z)), pr = e / sumaspects(e);
				V pl = pr * l;
				ts += (V)((VI)(pl - pr * sumaspects(pl)) & in);
				losses += pl, prob[v] = pr;
			} else
				lw += l, prob[v] = prob[0];
			V pb = (V)((VI)(prob[v] * scale) & in);
			g[0][v] *= -pb;
			for (int k = 1; k <= NEG; k++) g[k][v] *= pb;
		}
		if (noisepair) ts = sumgroups(ts);
		else {
			V pl = prob[0] * sumgroups(lw);
			ts = pl - prob[0] * sumaspects(pl);
			losses += (V)((VI)pl & (LANE < K));
		}
		ts *= ct * scale * inv;
		for (int v = 0; v < cv; v++)
			if (J < 8) g[0][v] += ts * bags[(b.bag[w] >> v * J) & ((1 << J) - 1)];
			else g[0][v] += (V)((VI)ts & (((b.bag[w] >> (v * J + G)) & 1) == 1));
		pair += c;
#endif
		V dp[NV] = {};
		REAL *out = rec + (size_t)b.first[w] * RECW;
		lane_int cent = centre;
		for (int i = 0; i < nr; i++, out += RECW) {
#if K == 1
			V t = splat(((REAL *)pack)[i]);
			out[0] = ((REAL *)pack)[i];
#else
			V t = perm(g[i / c][i % c / J], S + i % c % J * K);
			memcpy(out, &t, (RECW < VL ? RECW : VL) * sizeof(REAL));
#endif
			memcpy(out + K, &cent, sizeof cent);
			V *q = Q[row[i]];
			UNROLL for (int k = 0; k < NV; k++) dp[k] += t * q[k];
		}
		UNROLL for (int k = 0; k < NV; k++) GP[centre][k] += dp[k];
	}
	return total(losses) * (double)scale;
}

// regularize adds lambda times the gradient of one vertex's aspect similarities to acc; returns their unweighted sum.
INLINE REAL regularize(const V *q, V *acc) {
	V n2 = {}, self = {}, sum = {};
	UNROLL for (int x = 0; x < NV; x++) n2 += q[x] * q[x];
	n2 = sumgroups(n2);
	UNROLL for (int r = 1; r <= K / 2; r++) {
		V dot = {};
		UNROLL for (int x = 0; x < NV; x++) dot += q[x] * rot(q[x], r);
		V nn = vmax(vsqrt(n2 * rot(n2, r)), splat((REAL)1e-8)), cos = sumgroups(dot) / nn;
		VI on = (vabs(cos) > (REAL)epsilon) & VALID;
		const int twice = 2 * r == K; // then lane s and lane s+r speak of the same pair
		V size = (V)((VI)vabs(cos) & on), w = (V)((VI)(sel(cos < 0, splat(-1), splat(1)) * (REAL)lambda / nn) & on);
		sum += twice ? size * (REAL).5 : size;
		size = (V)((VI)size & (nn > (REAL)1e-8));
		V back = rot(w, K - r);
		self += twice ? size : size + rot(size, K - r);
		UNROLL for (int x = 0; x < NV; x++) acc[x] += w * rot(q[x], r) + (twice ? (V){} : back * rot(q[x], K - r));
	}
	self = (V)((VI)(self * (REAL)lambda / vmax(n2, splat((REAL)1e-30))) & VALID);
	UNROLL for (int x = 0; x < NV; x++) acc[x] -= self * q[x];
	return total((V)((VI)sum & (LANE < K)));
}
typedef struct { REAL rate, c2; } adam_t;
INLINE void adam(V *x, V *m, V *v, V g, adam_t a) {
	*m += (g - *m) * (REAL).1, *v += (g * g - *v) * (REAL).001;
	*x -= a.rate * *m / (vsqrt(*v) * a.c2 + (REAL)1e-8);
}

// rows is the second pass: the gradient of each row of Q from its records, then the optimizer, or only the gradient
// (what = 0: into PG, QG, 1: step). Returns lambda times the regularizer.
static double rows(int what) {
	double reg = 0;
	adam_t ad = {(REAL)(lr / (1 - pow(.9, step + 1))), (REAL)(1 / sqrt(1 - pow(.999, step + 1)))};
	for (uint32_t v = 0; v < n; v++) {
		V acc[NV] = {};
		for (int x = 0; what && x < NV; x++) __builtin_prefetch(Q[v + 1] + x), __builtin_prefetch(Qm[v + 1] + x), __builtin_prefetch(Qv[v + 1] + x);
		for (uint32_t i = b.start[v], end = b.start[v + 1]; i < end; i++) {
			__builtin_prefetch(rec + (size_t)b.order[i + 12] * RECW);
			const REAL *r = rec + (size_t)b.order[i] * RECW;
			lane_int centre;
			memcpy(&centre, r + K, sizeof centre);
			V p[NV];
			expand(P[centre], p);
#if K == 1
			V t = splat(*r);
#else
			V t = {};
			memcpy(&t, r, (RECW < VL ? RECW : VL) * sizeof(REAL));
			t = perm(t, S);
#endif
			UNROLL for (int x = 0; x < NV; x++) acc[x] += t * p[x];
		}
		UNROLL for (int x = 0; x < NV; x++) acc[x] = (V)((VI)acc[x] & VALID);
		if (what == 0) { memcpy(QG[v], acc, sizeof acc); continue; }
#if K > 1
		if (lambda > 0) reg += regularize(Q[v], acc);
#endif
		UNROLL for (int x = 0; x < NV; x++) adam(Q[v] + x, Qm[v] + x, Qv[v] + x, acc[x], ad);
	}
	// The records speak of the old P, so that P moves last.
	for (uint32_t v = 0; v < n; v++) {
		REAL spread[NV * VL + VL] __attribute__((aligned(64)));
		V dp[PV] = {};
		UNROLL for (int x = 0; x < NV; x++) { *(V *)(spread + x * VL) = sumaspects(GP[v][x]), GP[v][x] = (V){}; }
		UNROLL for (int j = 0; j < D; j++) ((REAL *)dp)[j] = spread[j / J * VL + j % J * K];
		if (what == 0) { memcpy(PG[v], dp, sizeof dp); continue; }
		UNROLL for (int x = 0; x < (D + VL - 1) / VL; x++) adam(P[v] + x, Pm[v] + x, Pv[v] + x, dp[x], ad);
	}
	if (what) step++;
	return lambda * reg;
}
#include "ckernel_run.h" // reading, batches, the check, main
