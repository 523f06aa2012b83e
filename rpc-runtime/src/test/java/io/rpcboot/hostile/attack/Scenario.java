package io.rpcboot.hostile.attack;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;

import io.rpcboot.hostile.attack.BodyRoles.Asking;
import io.rpcboot.hostile.attack.BodyRoles.HeaderOnly;
import io.rpcboot.hostile.attack.BodyRoles.Objects;
import io.rpcboot.hostile.attack.BodyRoles.Slow;
import io.rpcboot.hostile.attack.BodyRoles.Stage;
import io.rpcboot.hostile.attack.BodyRoles.Unfinished;
import io.rpcboot.hostile.attack.BodyRoles.Yielding;
import io.rpcboot.hostile.attack.FloodRoles.Binds;
import io.rpcboot.hostile.attack.FloodRoles.OneWays;
import io.rpcboot.hostile.attack.FloodRoles.Pings;
import io.rpcboot.hostile.attack.FloodRoles.Tables;
import io.rpcboot.hostile.attack.ReplyRoles.Held;
import io.rpcboot.hostile.attack.ReplyRoles.Ungranted;
import io.rpcboot.hostile.attack.ReplyRoles.Unread;
import io.rpcboot.internal.protocol.binary.FrameType;

/**
 * One way to attack a server.
 *
 * @param name short, for tables and commands
 * @param connections open at the same time, fewer if the system gives fewer
 * @param newPerSecond most that are opened in a second
 * @param needsNeed whether it makes sense only where the engine knows NEED
 * @param roles makes what a connection does
 */
public record Scenario(String name, int connections, int newPerSecond, boolean needsNeed,
		Function<AttackCounts, Role> roles) {

	/**
	 * Begins the names of scenarios that attack TLS, beside an honest client with TLS.
	 */
	private static final String TLS = "tls-";

	/** The name of all scenarios without TLS at the same time. */
	public static final String TOGETHER = "together";

	/** One below the ten thousand connections of a server, less a few for others. */
	public static final int MANY = 9000;

	private static final int QUICKLY = 1500;

	private static final int MEGABYTE = 1 << 20;

	private static final Map<String, Scenario> ALL = all();

	/** Whether the honest client beside a scenario speaks TLS. */
	public static boolean isTls(String name) {
		return name.startsWith(TLS);
	}

	/** Those that make sense with this engine. */
	public static List<Scenario> known() {
		return ALL.values().stream().filter((each) -> !each.needsNeed || Speech.knowsNeed()).toList();
	}

	/**
	 * The scenarios that run at the same time: those whose honest clients speak clear
	 * text.
	 */
	static List<Scenario> together() {
		return known().stream().filter((each) -> !isTls(each.name())).toList();
	}

	static Scenario named(String name) {
		Scenario result = ALL.get(name);
		if (result == null) {
			throw new IllegalArgumentException(
					"hostile.scenario: %s (expected: one of %s)".formatted(name, ALL.keySet()));
		}
		return result;
	}

	private static Map<String, Scenario> all() {
		Map<String, Scenario> all = new LinkedHashMap<>();
		Random random = new Random(1);
		// bodies that are given up or held
		add(all, "unfinished-bind", 1, 50, (counts) -> new Unfinished(counts, Stage.BIND, true));
		add(all, "unfinished-hello", 1, 50, (counts) -> new Unfinished(counts, Stage.HELLO, true));
		add(all, "unfinished-preface", 1, 50, (counts) -> new Unfinished(counts, Stage.PREFACE, true));
		add(all, "unfinished-many", MANY, QUICKLY, (counts) -> new Unfinished(counts, Stage.BIND, false));
		add(all, "unfinished-standing", 60, 100, (counts) -> new Unfinished(counts, Stage.BIND, false));
		add(all, "objects", 16, 100, Objects::new);
		add(all, "held-calls", 200, 100, Held::new);
		add(all, "slow-bytes", 1000, QUICKLY, (counts) -> new Slow(counts, Speech.MAX_BODY, 10));
		add(all, "slow-small-bodies", MANY, QUICKLY, (counts) -> new Slow(counts, Speech.SHARE, 1));
		add(all, "slow-under-rate", 16, 100, (counts) -> new Slow(counts, Speech.MAX_BODY, 0.9 * MEGABYTE));
		add(all, "slow-at-rate", 40, 100, (counts) -> new Slow(counts, Speech.MAX_BODY, 1.15 * MEGABYTE));
		// results that are not taken
		add(all, "unread-7m", 50, 100, (counts) -> new Unread(counts, 7_000_000, 60));
		add(all, "unread-60k", 500, 500, (counts) -> new Unread(counts, 60_000, 60));
		add(all, "unread-1k", 2000, 1000, (counts) -> new Unread(counts, 1000, 60));
		add(all, "no-reply-grant", 20, 20,
				(counts) -> new Ungranted(counts, 100_000, !Speech.knowsNeed() || random.nextBoolean()));
		// headers, tables, floods
		add(all, "headers-64k", MANY, QUICKLY, (counts) -> new HeaderOnly(counts, FrameType.PING, 64 * 1024));
		add(all, "headers-4k", MANY, QUICKLY, (counts) -> new HeaderOnly(counts, FrameType.BIND, 4096));
		add(all, "headers-8m", MANY, QUICKLY, (counts) -> new HeaderOnly(counts, FrameType.REQUEST, Speech.MAX_BODY));
		add(all, "tables-unfinished", 1000, 500, (counts) -> new Tables(counts, false));
		add(all, "tables-whole", 60, 20, (counts) -> new Tables(counts, true));
		add(all, "tables-idle", 24, 50, Tables::shrinking);
		add(all, "bind-flood", 300, 100, (counts) -> new Binds(counts, true));
		add(all, "bind-flood-refused", 300, 100, (counts) -> new Binds(counts, false));
		add(all, "ping-flood", 200, 200, Pings::new);
		add(all, "one-way-flood", 50, 100, OneWays::new);
		http2(all, random);
		http1(all, random);
		// asking for more
		addNeed(all, "need-unsent", 1000, 1000, (counts) -> new Asking(counts, false));
		addNeed(all, "need-trickle", 200, 500, (counts) -> new Slow(counts, 64 * 1024, 1000));
		addNeed(all, "need-yield", 200, 500, (counts) -> new Asking(counts, true));
		addNeed(all, "yield-parts", 200, 500, Yielding::new);
		tls(all, random);
		return all;
	}

	private static void http2(Map<String, Scenario> all, Random random) {
		add(all, "h2-rapid-reset", 50, 100, (counts) -> Http2Roles.rapidReset());
		add(all, "h2-made-you-reset", 50, 100, (counts) -> Http2Roles.madeYouReset());
		add(all, "h2-continuation", 50, 100, (counts) -> Http2Roles.continuation(random.nextInt(2000)));
		add(all, "h2-control", 100, 100, (counts) -> Http2Roles.control(random.nextInt(5), true));
		add(all, "h2-control-unread", 100, 100, (counts) -> Http2Roles.control(random.nextInt(5), false));
		add(all, "h2-empty-data", 50, 100, (counts) -> Http2Roles.emptyData(random.nextInt(2)));
		add(all, "h2-window-of-one", 50, 100, (counts) -> Http2Roles.windowOfOne());
		add(all, "h2-hpack-bomb", 50, 100, (counts) -> Http2Roles.hpackBomb());
		add(all, "h2-header-lists", 50, 100, (counts) -> Http2Roles.headerLists());
		add(all, "h2-slow-bodies", 200, 200, (counts) -> Http2Roles.slowBodies(65_000));
		add(all, "h2-held-bodies", 50, 100, (counts) -> Http2Roles.heldBodies());
		add(all, "h2-endless-streams", 200, 200, (counts) -> Http2Roles.endlessStreams());
		add(all, "h2-open-streams", MANY, QUICKLY, (counts) -> Http2Roles.openStreams(random.nextBoolean()));
		add(all, "h2-idle", MANY, QUICKLY, (counts) -> Http2Roles.idle());
		add(all, "h2-unread", 200, 200, (counts) -> Http2Roles.unread());
		add(all, "h2-fields", 110, 200, (counts) -> Http2Roles.fields(random.nextBoolean()));
		add(all, "h2-open-blocks", MANY, QUICKLY, (counts) -> Http2Roles.openBlocks());
		add(all, "h2-refused-fields", MANY, QUICKLY, (counts) -> Http2Roles.refusedFields());
		add(all, "h2-elements-unread", 200, 200, (counts) -> Http2Roles.unreadElements(60_000));
		add(all, "h2-elements-short", 200, 200, (counts) -> Http2Roles.unreadElements(0));
		add(all, "h2-elements-blocked", 500, 500, (counts) -> Http2Roles.blockedElements());
		add(all, "h2-elements-reset", 50, 100, (counts) -> Http2Roles.resetElements());
		add(all, "h2-uploads-open", 200, 200,
				(counts) -> Http2Roles.openUploads(random.nextBoolean() ? "Hold" : "Take", 3, 16_000));
		add(all, "h2-uploads-awaited", 200, 200, (counts) -> Http2Roles.openUploads("Await", 1, 0));
		add(all, "h2-uploads-empty", 50, 100, (counts) -> Http2Roles.emptyUploads("Hold"));
		add(all, "h2-uploads-reset", 50, 100,
				(counts) -> Http2Roles.resetUploads(random.nextBoolean() ? "Echo" : "Take"));
		add(all, "h2-last-bytes", 50, 100, (counts) -> Http2Roles.lastBytes(500 + random.nextInt(63_500)));
		add(all, "h2-windows-of-all", 20, 20, (counts) -> Http2Roles.windowsOfAllStreams());
		add(all, "h2-reset-behind-refusals", 50, 100, (counts) -> Http2Roles.rapidResetBehindRefusals());
		add(all, "h2-unread-built-in", 100, 100, (counts) -> Http2Roles.unreadBuiltIn(random.nextInt(3)));
		add(all, "h2-blocked-built-in", MANY, QUICKLY, (counts) -> Http2Roles.blockedBuiltIn());
	}

	private static void http1(Map<String, Scenario> all, Random random) {
		add(all, "h1-idle", MANY, QUICKLY, (counts) -> HttpRoles.idle());
		add(all, "h1-open-heads", MANY, QUICKLY, (counts) -> HttpRoles.openHeads(random.nextInt(10_000)));
		add(all, "h1-endless-bodies", 50, 100, (counts) -> HttpRoles.endlessBodies(1 + random.nextInt(16_000)));
		add(all, "h1-held-bodies", 200, 200,
				(counts) -> HttpRoles.heldBodies(MEGABYTE * (1 + random.nextInt(8)), 60_000));
		add(all, "h1-held-small", MANY, QUICKLY, (counts) -> HttpRoles.heldBodies(65_000, 16_000));
		add(all, "h1-pipelined", 50, 100, (counts) -> HttpRoles.pipelined());
		add(all, "h1-unread", 50, 100, (counts) -> HttpRoles.unread(7_000_000));
		add(all, "h1-extensions", 50, 100, (counts) -> HttpRoles.extensions());
		add(all, "h1-deep-json", 20, 100, (counts) -> HttpRoles.deepJson());
		add(all, "h1-leaving", 200, 1000, (counts) -> HttpRoles.leaving());
	}

	private static void tls(Map<String, Scenario> all, Random random) {
		add(all, TLS + "unfinished", MANY, QUICKLY, (counts) -> TlsRoles.sends(TlsSpeech.hello()));
		add(all, TLS + "open-hello", MANY, QUICKLY, (counts) -> TlsRoles.sends(TlsSpeech.openHello()));
		add(all, TLS + "slow", 500, QUICKLY, (counts) -> new TlsRoles.Slow());
		add(all, TLS + "broken", 64, QUICKLY, (counts) -> TlsRoles.broken(random));
		add(all, TLS + "handshakes", 64, QUICKLY, (counts) -> TlsRoles.handshake(random));
		add(all, TLS + "handshakes-again", 64, 500, (counts) -> TlsRoles.handshakesAgain(random));
		add(all, TLS + "small-records", 64, 100, (counts) -> new TlsRoles.SmallRecords(random));
		add(all, TLS + "half", 300, 500, (counts) -> TlsRoles.half(random));
	}

	private static void add(Map<String, Scenario> all, String name, int connections, int newPerSecond,
			Function<AttackCounts, Role> roles) {
		all.put(name, new Scenario(name, connections, newPerSecond, false, roles));
	}

	private static void addNeed(Map<String, Scenario> all, String name, int connections, int newPerSecond,
			Function<AttackCounts, Role> roles) {
		all.put(name, new Scenario(name, connections, newPerSecond, true, roles));
	}

}
