package io.rpcboot.layout;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PublicApiTests {

	@Test
	void typesAndMembers_haveOneLineEach() {
		PublicApi api = read("app.Shop",
				"""
						package app;
						import java.util.List;
						import org.jspecify.annotations.Nullable;
						/** @since 1 */
						public abstract class Shop<T extends Comparable<T>> implements AutoCloseable {
							public static final String NAME = "shop";
							public static final int MOST = 3;
							int hidden;
							protected Shop(byte @Nullable [] key) {
							}
							public @Nullable T find(List<? extends @Nullable T> all, String... names) throws java.io.IOException {
								return null;
							}
							protected abstract <R> R[] all(Class<R> type);
							private void search() {
							}
							@Override
							public String toString() {
								return "";
							}
						}
						""");
		assertThat(api.types().get("app.Shop")).containsExactly(
				"public abstract class app.Shop<T extends Comparable<T>> implements AutoCloseable",
				"    public static final int MOST = 3", "    public static final String NAME = \"shop\"",
				"    protected Shop(byte @Nullable [])", "    protected abstract <R> R[] all(Class<R>)",
				"    public @Nullable T find(List<? extends @Nullable T>, String...) throws IOException");
		assertThat(api.withoutSince()).isEmpty();
	}

	@Test
	void records_showComponents_inTheirHead() {
		PublicApi api = read("app.Point", """
				package app;
				public record Point(int x, int y) {
					public Point(int both) {
						this(both, both);
					}
					public int sum() {
						return this.x + this.y;
					}
					public enum Side { RIGHT, LEFT }
					public @interface Mark {
						String value() default "none";
					}
				}
				""");
		assertThat(api.types().get("app.Point")).containsExactly("public record app.Point(int x, int y)",
				"    public Point(int)", "    public int sum()");
		assertThat(api.types().get("app.Point.Side")).containsExactly("public enum app.Point.Side", "    RIGHT",
				"    LEFT");
		assertThat(api.types().get("app.Point.Mark")).containsExactly("public @interface app.Point.Mark",
				"    String value() default \"none\"");
		assertThat(api.withoutSince()).containsExactly("app.Point", "app.Point.Mark", "app.Point.Side");
	}

	@Test
	void inheritedMembers_belongToChild_ofHiddenParent() {
		PublicApi api = read("app.Child", """
				package app;
				public final class Child extends Parent {
					protected void inFinalClass() {
					}
				}
				abstract class Parent implements Runnable {
					public void run() {
					}
				}
				""");
		assertThat(api.types()).containsOnlyKeys("app.Child");
		assertThat(api.types().get("app.Child")).containsExactly("public final class app.Child", "    public Child()",
				"    public void run()");
	}

	@Test
	void internalTypes_areFound_inSignatures() {
		PublicApi api = PublicApi.of(SourceModel.of(Map.of("app/Shop.java", """
				package app;
				import io.rpcboot.internal.Engine;
				public class Shop {
					public java.util.List<Engine[]> engines;
					void hidden(Engine engine) {
					}
				}
				""", "io/rpcboot/internal/Engine.java", """
				package io.rpcboot.internal;
				public class Engine {
				}
				""")), (name) -> true);
		assertThat(api.types()).containsOnlyKeys("app.Shop");
		assertThat(api.internalUses()).containsExactly("app.Shop: public List<Engine[]> engines");
	}

	@Test
	void missingLibraries_keepSourceName() {
		PublicApi api = read("app.Bean", """
				package app;
				import com.acme.Base;
				public class Bean extends Base {
					public com.acme.Result call(Base base) {
						return null;
					}
				}
				""");
		assertThat(api.types().get("app.Bean")).isEqualTo(
				List.of("public class app.Bean extends Base", "    public Bean()", "    public Result call(Base)"));
	}

	private static PublicApi read(String type, String text) {
		return PublicApi.of(SourceModel.of(Map.of(type.replace('.', '/') + ".java", text)), (name) -> true);
	}

}
